import type { Locale } from '@almoner/client'
import { Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { LANGUAGES, languageOf, useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { account } from './messages.ts'

export function AccountScreen() {
  const t = useMessages(account)
  const { profile } = usePerson()
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: (locale: Locale) => almoner.modifyProfile({ body: { locale } }),
    onSuccess: (changed) => {
      queries.setQueryData(ask('getProfile').queryKey, changed)
      notifyDone(account[languageOf(changed.locale)].languageSaved)
    },
    onError: notifyFailure,
  })
  return (
    <Screen title={t.title} narrow>
      <Select
        label={t.language}
        maw={280}
        allowDeselect={false}
        data={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
        value={profile.locale}
        onChange={(locale) => locale && saving.mutate(locale as Locale)}
      />
    </Screen>
  )
}
