// Patients who look the same as the one that is being typed: told before a second record is made.

import type { AnswerTo } from '@almoner/client'
import { Alert, Anchor, List, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { newPatient } from './messages.ts'
import type { PatientForm } from './patient-form.ts'

type Individual = AnswerTo<'listIndividuals'>['items'][number]

const MOST = 5

export function lookalikes(organizationId: string, { firstName, lastName, birthDate }: PatientForm) {
  const [first, last] = [firstName.trim(), lastName.trim()]
  const question = ask('listIndividuals', {
    organizationId,
    // A comma means “or” to the service, so a name that holds one is not asked for.
    filter: { firstName: first, lastName: last, birthDate },
    fields: ['firstName', 'lastName', 'birthDate', 'email'],
    page: { limit: MOST },
  })
  const isComplete = first !== '' && last !== '' && /^(18|19|20)\d\d-\d\d-\d\d$/.test(birthDate)
  return { ...question, enabled: isComplete && !`${first}${last}`.includes(',') }
}

export function Lookalikes({ found }: { found: Individual[] }) {
  const t = useMessages(newPatient)
  const formats = useFormats()
  return (
    <div role="status">
      {found.length > 0 && (
        <Alert mt="md" color="yellow" variant="light" icon={<AlertIcon />} title={t.duplicate}>
          <Text size="sm">{t.duplicateHint}</Text>
          <List size="sm" mt={4}>
            {found.map(({ id, firstName, lastName, birthDate, email }) => (
              <List.Item key={id}>
                <Anchor component={Link} to={`/patients/${id}`} target="_blank" size="sm">
                  {lastName}, {firstName}
                </Anchor>
                {birthDate ? ` · ${formats.day(birthDate)}` : ''}
                {email ? ` · ${email}` : ''}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  )
}
