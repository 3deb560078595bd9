import { SimpleGrid, Text, Title } from '@mantine/core'
import { BellIcon, BroadcastIcon, PeopleIcon, ZapIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay, useOrganization } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import classes from './home.module.css'
import { home } from './messages.ts'
import type { Summary } from './population.tsx'

/** What to do where there is nothing yet; gone as soon as it is done. */
export function FirstSteps({ summary }: { summary: Summary }) {
  const t = useMessages(home)
  const { id: organizationId } = useOrganization()
  const { data: rules } = useQuery(ask('listAlertRules', { organizationId, page: { limit: 1 } }))
  const lacksRules = rules?.total === 0
  const lacksPatients = summary.individuals === 0
  const mayConnect = useMay('org-admin') && summary.measuredThisWeek === 0
  const { data: devices } = useQuery({
    ...ask('listServiceAccounts', { organizationId, page: { limit: 1 } }),
    enabled: mayConnect,
  })
  const lacksDevices = mayConnect && devices?.total === 0
  if (!lacksPatients && !lacksRules && !lacksDevices) return null
  const steps = [
    ...(lacksPatients ? [{ to: '/patients', icon: PeopleIcon, title: t.addPatients, hint: t.addPatientsHint }] : []),
    ...(lacksDevices
      ? [{ to: '/administration/service-accounts', icon: BroadcastIcon, title: t.connect, hint: t.connectHint }]
      : []),
    ...(lacksRules ? [{ to: '/alert-rules/new', icon: ZapIcon, title: t.addRule, hint: t.addRuleHint }] : []),
    { to: '/account/notifications', icon: BellIcon, title: t.chooseTold, hint: t.chooseToldHint },
  ]
  return (
    <section aria-labelledby="first-steps">
      <Title order={2} mb="xs" id="first-steps">
        {t.hints}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: steps.length }} mb="md">
        {steps.map(({ to, icon: Icon, title, hint }) => (
          <Link key={to} to={to as string} preload={false} className={classes.tile}>
            <span className={classes.label}>
              <Icon size={16} />
              {title}
            </span>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </Link>
        ))}
      </SimpleGrid>
    </section>
  )
}
