// The page of a patient: who they are, what is open, and what was measured.

import { AlmonerError } from '@almoner/client'
import { Button, Stack } from '@mantine/core'
import { PencilIcon, PlusIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { NotAllowed, NotFound } from '../../frame/not-found.tsx'
import { useMay, useOrganization, usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { EditPatient } from './edit-patient.tsx'
import { Identity, type Individual, type Patient } from './identity.tsx'
import { useLivePatient } from './live.ts'
import { patient as texts } from './messages.ts'
import { type Alert, OpenAlerts } from './open-alerts.tsx'
import { alertsOf, classificationSets, individualOf, metricTypes, patientOf, sourcesOf } from './questions.ts'
import { Readings } from './readings.tsx'
import { StateActions } from './state-actions.tsx'

/** Alerts are for those who care for someone. */
const none: Alert[] = []

const route = getRouteApi('/frame/patients/$id')

export function PatientScreen() {
  const { id } = route.useParams()
  const isOwn = usePerson().profile.individualId === id
  const mayLook = useMay('org-admin', 'provider') || isOwn
  const individual = useQuery({ ...individualOf(id), enabled: mayLook })
  const patient = useQuery({ ...patientOf(id), enabled: mayLook })
  const t = useMessages(texts)
  if (!mayLook) return <NotAllowed />
  const error = individual.error ?? patient.error
  // An address that is no id is nobody's either.
  if (error instanceof AlmonerError && (error.status === 404 || error.status === 400)) return <NotFound />
  if (error)
    return (
      <Screen title={t.identity}>
        <Failure error={error} onRetry={() => Promise.all([individual.refetch(), patient.refetch()])} />
      </Screen>
    )
  if (!individual.data || !patient.data) return null
  return <PatientPage key={id} individual={individual.data} patient={patient.data} />
}

function PatientPage({ individual, patient }: { individual: Individual; patient: Patient }) {
  const t = useMessages(texts)
  const organization = useOrganization()
  const isStaff = useMay('org-admin', 'provider')
  const mayAdminister = useMay('org-admin')
  const { id } = individual
  const [isEditing, edit] = useState(false)
  const [isAdding, add] = useState(false)
  const alerts = useQuery({ ...alertsOf(organization.id, id), enabled: isStaff })
  const shownAlerts = isStaff ? alerts.data?.items : none
  const types = useQuery(metricTypes())
  const sources = useQuery(sourcesOf(id))
  useLivePatient(id, sources.data)
  const sets = useQuery(classificationSets(organization.id))
  const error = alerts.error ?? types.error ?? sources.error ?? sets.error
  const name = `${patient.firstName} ${patient.lastName}`
  return (
    <Screen
      title={name}
      actions={
        <>
          <Button leftSection={<PlusIcon />} onClick={() => add(true)} disabled={!types.data || !sources.data}>
            {t.addReading}
          </Button>
          {isStaff && (
            <Button variant="default" leftSection={<PencilIcon />} onClick={() => edit(true)}>
              {t.edit}
            </Button>
          )}
          {mayAdminister && <StateActions individual={individual} name={name} />}
        </>
      }
    >
      {shownAlerts && <OpenAlerts alerts={shownAlerts} />}
      <Stack gap="md">
        <Identity individual={individual} patient={patient} />
        {error && <Failure error={error} />}
        {types.data && sources.data && sets.data && shownAlerts && (
          <div>
            <Readings
              individualId={id}
              tz={patient.tz}
              types={types.data.items}
              sources={sources.data}
              sets={sets.data.items}
              alerts={shownAlerts}
              isAdding={isAdding}
              onAdding={add}
            />
          </div>
        )}
      </Stack>
      {isEditing && <EditPatient patient={patient} onClose={() => edit(false)} />}
    </Screen>
  )
}
