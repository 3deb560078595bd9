import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { faultsOf } from '../../frame/faults.ts'
import { useOrganization, usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { LANGUAGES, useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { Lookalikes, lookalikes } from './lookalikes.tsx'
import { newPatient } from './messages.ts'
import { bodyOf, emptyForm, FIELDS, GENDERS, type PatientForm } from './patient-form.ts'

const TYPING_MS = 400
const MOST = 1000
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone
const ZONES = [...new Set([HERE, ...Intl.supportedValuesOf('timeZone')])]

export function NewPatientScreen() {
  const t = useMessages(newPatient)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { id: organizationId } = useOrganization()
  const { profile } = usePerson()
  const place = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState<PatientForm>(() => emptyForm(profile.locale))
  const set = (part: Partial<PatientForm>) => setForm((before) => ({ ...before, ...part }))

  const [named] = useDebouncedValue(form, TYPING_MS)
  const { data: same } = useQuery(lookalikes(organizationId, named))
  const { data: groups } = useQuery(ask('listGroups', { organizationId, type: ['regular'], page: { limit: MOST } }))

  const creating = useMutation({
    mutationFn: () => almoner.createPatient({ body: bodyOf(organizationId, form) }),
    onSuccess: async (created) => {
      notifyDone(t.created(`${created.firstName} ${created.lastName}`))
      await queries.invalidateQueries({ queryKey: ['listIndividuals'] })
      await navigate({ to: `/patients/${created.id}` })
    },
  })
  useEffect(() => {
    // Whoever cannot see the page hears of the first fault, and is where it is.
    if (creating.error) place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [creating.error])
  const { fields, rest } = faultsOf(creating.error, FIELDS)
  const faulty = Object.keys(fields).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  const text = (name: 'firstName' | 'lastName' | 'preferredName' | 'birthDate' | 'email' | 'mobilePhone') => ({
    name,
    label: t[name],
    value: form[name],
    error: fields[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [name]: currentTarget.value }),
  })
  return (
    <Screen title={t.title} narrow>
      <form onSubmit={submit} ref={place} noValidate>
        <Stack gap="lg">
          <Fieldset legend={t.person}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
              <TextInput {...text('firstName')} withAsterisk autoComplete="off" />
              <TextInput {...text('lastName')} withAsterisk autoComplete="off" />
              <TextInput {...text('birthDate')} withAsterisk type="date" />
              <Select
                label={t.gender}
                withAsterisk
                data={GENDERS.map((gender) => ({ value: gender, label: t.genders[gender] }))}
                value={form.gender || null}
                error={fields.gender}
                onChange={(gender) => set({ gender: (gender ?? '') as PatientForm['gender'] })}
              />
              <TextInput {...text('preferredName')} description={t.preferredNameHint} autoComplete="off" />
            </SimpleGrid>
            <Lookalikes found={same?.items ?? []} />
          </Fieldset>
          <Fieldset legend={t.contact}>
            <Text size="sm" c="dimmed" mb="xs">
              {t.contactHint}
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
              <TextInput
                {...text('email')}
                error={fields.email && !form.email && !form.mobilePhone ? t.contactNeeded : fields.email}
                type="email"
                autoComplete="off"
              />
              <TextInput {...text('mobilePhone')} type="tel" autoComplete="off" description={t.mobilePhoneHint} />
              <Select
                label={t.language}
                allowDeselect={false}
                data={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
                value={form.locale}
                error={fields.locale}
                onChange={(locale) => set({ locale: locale as PatientForm['locale'] })}
              />
              <Select
                label={t.tz}
                searchable
                clearable
                limit={50}
                data={ZONES}
                value={form.tz || null}
                error={fields.tz}
                onChange={(tz) => set({ tz: tz ?? '' })}
              />
            </SimpleGrid>
            <Checkbox.Group
              label={t.invite}
              mt="sm"
              value={form.notifications}
              error={fields.notifications}
              onChange={(ways) => set({ notifications: ways as PatientForm['notifications'] })}
            >
              <Group mt={6}>
                <Checkbox value="email" label={t.byEmail} />
                <Checkbox value="sms" label={t.bySms} />
              </Group>
            </Checkbox.Group>
          </Fieldset>
          <Fieldset legend={t.care}>
            <MultiSelect
              label={t.groups}
              description={t.groupsHint}
              searchable
              clearable
              data={(groups?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={form.individualGroupIds}
              error={fields.individualGroupIds}
              onChange={(individualGroupIds) => set({ individualGroupIds })}
            />
          </Fieldset>
          {creating.isError && rest && <Failure error={rest} />}
          {faulty && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {t.notSaved}
            </Text>
          )}
          <Group>
            <Button type="submit" loading={creating.isPending}>
              {(same?.items.length ?? 0) > 0 ? t.createAnyway : t.create}
            </Button>
            <Button component={Link} to="/patients" variant="default">
              {t.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Screen>
  )
}
