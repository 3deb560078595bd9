import { Anchor, Stack, Switch, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import classes from '../parts/parts.module.css'
import { organization as texts } from './messages.ts'

type Setting = 'requireSecondFactor' | 'restrictProvidersToGroups'

/** Both settings hold for everyone at once, so each change is asked about first. */
export function SecurityScreen() {
  const t = useMessages(texts)
  const organization = useOrganization()
  const [asked, setAsked] = useState<Setting | null>(null)
  const settings = [
    ['requireSecondFactor', t.secondFactor, t.secondFactorHint],
    ['restrictProvidersToGroups', t.restrict, t.restrictHint],
  ] as const
  return (
    <Screen title={t.security} narrow>
      <Stack gap="md" className={classes.panel ?? ''}>
        {settings.map(([name, label, description]) => (
          <Switch
            key={name}
            label={label}
            description={description}
            checked={organization[name]}
            onChange={() => setAsked(name)}
          />
        ))}
      </Stack>
      <Anchor component={Link} to="/account" size="sm" mt="sm" display="inline-block">
        {t.ownSessions}
      </Anchor>
      {asked && <Asked setting={asked} onClose={() => setAsked(null)} />}
    </Screen>
  )
}

function Asked({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const t = useMessages(texts)
  const organization = useOrganization()
  const isOn = organization[setting]
  const changing = useChange(() => almoner.modifyOrganization({ id: organization.id, body: { [setting]: !isOn } }), {
    refresh: ['listOrganizations'],
    done: t.saved,
    onDone: onClose,
  })
  const isSecondFactor = setting === 'requireSecondFactor'
  const hint = isSecondFactor
    ? isOn
      ? t.offSecondFactorHint
      : t.secondFactorHint
    : isOn
      ? t.offRestrictHint
      : t.restrictHint
  return (
    <FormDialog
      title={isSecondFactor ? t.secondFactor : t.restrict}
      action={isOn ? t.off : t.on}
      isDestructive={isOn}
      isBusy={changing.isPending}
      error={changing.error}
      onSubmit={() => changing.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{hint}</Text>
    </FormDialog>
  )
}
