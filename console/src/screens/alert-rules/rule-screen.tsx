import { Anchor, Button, Group, Modal, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Failure, notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { useMay, useOrganization, usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { bodyOf, type Draft, draftOf, faultsAt, missingIn, newDraft, termsOf, watchedOf } from './draft.ts'
import { DryRun } from './dry-run.tsx'
import { useFaultWords } from './form-parts.tsx'
import { rules } from './messages.ts'
import { type Rule, useRuleSentence } from './rule-sentence.ts'
import classes from './rules.module.css'
import { TermsFields } from './terms-fields.tsx'
import { ToldFields } from './told-fields.tsx'

export function NewRuleScreen() {
  const t = useMessages(rules)
  const isAdministrator = useMay('org-admin')
  const { profile } = usePerson()
  return (
    <Screen title={t.createTitle}>
      <Editor initial={newDraft(isAdministrator ? 'everyone' : 'group', [profile.individualId])} />
    </Screen>
  )
}

export function RuleScreen() {
  const t = useMessages(rules)
  const { id } = useParams({ from: '/frame/alert-rules/$id' })
  // What someone is writing is not changed under their hands.
  const { data, error, refetch } = useQuery({ ...ask('getAlertRule', { id }), refetchOnWindowFocus: false })
  if (!data)
    return (
      <Screen title={t.title}>
        {error ? <Failure error={error} onRetry={() => refetch()} /> : <Skeleton height={300} />}
      </Screen>
    )
  return (
    <Screen title={data.name} actions={<Remove rule={data} />}>
      <Editor key={data.id} initial={draftOf(data)} rule={data} />
    </Screen>
  )
}

function Editor({ initial, rule }: { initial: Draft; rule?: Rule }) {
  const t = useMessages(rules)
  const { id: organizationId } = useOrganization()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const sentence = useRuleSentence()
  const isAdministrator = useMay('org-admin')
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [missing, setMissing] = useState<string[]>([])
  const save = useMutation({
    mutationFn: () => {
      const { organizationId: organization, ...changes } = bodyOf(draft, organizationId)
      return rule
        ? almoner.modifyAlertRule({ id: rule.id, body: changes })
        : almoner.createAlertRule({ body: { organizationId: organization, ...changes } })
    },
    onSuccess: async (saved) => {
      queries.setQueryData(ask('getAlertRule', { id: saved.id }).queryKey, saved)
      queries.invalidateQueries({ queryKey: ['listAlertRules'] })
      notifyDone(rule ? t.saved : t.created)
      await navigate({ to: '/alert-rules' })
    },
  })
  // Once the faults stand at their fields.
  useEffect(() => {
    if (save.error || missing.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [save.error, missing])
  const faults = faultsAt(save.error)
  const words = useFaultWords(faults)
  const fault = (place: string) => (missing.includes(place) ? t.required : words(place))
  const watched = watchedOf(draft, organizationId)
  const patient = usePatientName(draft.target === 'patient' ? draft.individualId : null)
  const mayChange = isAdministrator || !rule || rule.individualId !== null || rule.groupId !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const places = missingIn(draft)
    setMissing(places)
    save.reset()
    if (places.length === 0) save.mutate()
  }
  const part = {
    draft,
    onChange: (changed: Partial<Draft>) => {
      if (missing.length > 0) setMissing([])
      setDraft((before) => ({ ...before, ...changed }))
    },
    fault,
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {!mayChange && <Text mb="md">{t.forEveryoneOnly}</Text>}
      <Text className={classes.sentence} mb="md" aria-live="polite">
        {sentence(termsOf(draft), patient)}
      </Text>
      <div className={classes.editor}>
        <fieldset className={`${classes.fieldset} ${classes.terms}`} disabled={!mayChange}>
          <TermsFields {...part} />
        </fieldset>
        <DryRun watched={watched} severity={draft.severity} />
        <fieldset className={`${classes.fieldset} ${classes.rest}`} disabled={!mayChange}>
          <ToldFields {...part} />
          {save.error && faults.size === 0 && <Failure error={save.error} />}
          {(missing.length > 0 || faults.size > 0) && (
            <Text c="red" size="sm" mt="sm">
              {t.unsaved}
            </Text>
          )}
          {rule && (
            <Text size="sm" c="dimmed" mt="md">
              {t.changeHint}
            </Text>
          )}
          <Group mt="md">
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
            <Anchor component={Link} to="/alert-rules" size="sm">
              {t.cancel}
            </Anchor>
          </Group>
        </fieldset>
      </div>
    </form>
  )
}

function usePatientName(id: string | null): string | undefined {
  const { data } = useQuery({
    ...ask('getIndividual', { id: id ?? '', fields: ['firstName', 'lastName', 'birthDate'] }),
    enabled: id !== null,
  })
  return data && `${data.firstName} ${data.lastName}`
}

function Remove({ rule }: { rule: Rule }) {
  const t = useMessages(rules)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isAdministrator = useMay('org-admin')
  const [isAsking, asking] = useDisclosure()
  const remove = useMutation({
    mutationFn: () => almoner.deleteAlertRule({ id: rule.id }),
    onSuccess: async () => {
      notifyDone(t.removed)
      queries.invalidateQueries({ queryKey: ['listAlertRules'] })
      await navigate({ to: '/alert-rules' })
    },
    onError: notifyFailure,
  })
  if (!isAdministrator && rule.individualId === null && rule.groupId === null) return null
  return (
    <>
      <Button variant="default" size="xs" onClick={asking.open}>
        {t.remove}
      </Button>
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={t.removeTitle}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Text size="sm">{t.removeHint}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={asking.close}>
            {t.cancel}
          </Button>
          <Button color="red" onClick={() => remove.mutate()} loading={remove.isPending}>
            {t.remove}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
