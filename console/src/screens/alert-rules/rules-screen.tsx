import { Button, Card, Skeleton, Switch, Text, TextInput } from '@mantine/core'
import { PlusIcon, SearchIcon } from '@primer/octicons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure, notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { useMay, useOrganization } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { Severity } from '../alerts/severity.tsx'
import { rules } from './messages.ts'
import { type Rule, useRuleSentence } from './rule-sentence.ts'
import classes from './rules.module.css'

/** A search is for those who have more than fit on the screen. */
const FEW = 8

export function RulesScreen() {
  const t = useMessages(rules)
  const { id: organizationId } = useOrganization()
  const [words, setWords] = useState('')
  const { data, error, refetch, isPending } = useQuery(ask('listAlertRules', { organizationId, page: { limit: 1000 } }))
  const all = data?.items ?? []
  const shown = all.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()))
  const create = (label: string) => (
    <Button component={Link} to="/alert-rules/new" size="xs" leftSection={<PlusIcon size={14} />} w="fit-content">
      {label}
    </Button>
  )
  return (
    <Screen title={t.title} actions={create(t.create)}>
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {isPending && <Skeleton height={240} />}
      {all.length > FEW && (
        <TextInput
          size="xs"
          maw={280}
          mb="sm"
          aria-label={t.find}
          placeholder={t.find}
          leftSection={<SearchIcon size={14} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {data && all.length === 0 && (
        <Card withBorder p="lg" maw={640}>
          <Text fw={600}>{t.none}</Text>
          <Text size="sm" c="dimmed" mb="md">
            {t.noneHint}
          </Text>
          {create(t.createFirst)}
        </Card>
      )}
      {all.length > 0 && shown.length === 0 && <Text c="dimmed">{t.nothingFound}</Text>}
      {shown.length > 0 && (
        <ul className={classes.list} aria-label={t.list}>
          {shown.map((rule) => (
            <Row key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </Screen>
  )
}

function Row({ rule }: { rule: Rule }) {
  const t = useMessages(rules)
  const sentence = useRuleSentence()
  const queries = useQueryClient()
  const isAdministrator = useMay('org-admin')
  const { id, name, severity, enabled } = rule
  const mayChange = isAdministrator || rule.individualId !== null || rule.groupId !== null
  const turn = useMutation({
    mutationFn: (enabled: boolean) => almoner.modifyAlertRule({ id, body: { enabled } }),
    onSuccess: (changed) => {
      notifyDone(changed.enabled ? t.switchedOn : t.switchedOff)
      return queries.invalidateQueries({ queryKey: ['listAlertRules'] })
    },
    onError: notifyFailure,
  })
  const isOn = turn.isPending ? turn.variables : enabled
  return (
    <li className={classes.row} data-off={!enabled || undefined}>
      <div className={classes.what}>
        <Link to="/alert-rules/$id" params={{ id }} className={classes.name}>
          {name}
        </Link>
        <Text size="sm" c="dimmed">
          {sentence(rule)}
        </Text>
      </div>
      <span className={classes.severity}>
        <Severity of={severity} />
      </span>
      <Switch
        className={classes.switch}
        size="sm"
        label={isOn ? t.on : t.off}
        aria-label={t.enabled(name)}
        title={mayChange ? undefined : t.forEveryoneOnly}
        checked={isOn}
        disabled={!mayChange}
        onChange={(event) => turn.mutate(event.currentTarget.checked)}
      />
    </li>
  )
}
