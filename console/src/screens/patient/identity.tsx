// Who the patient is, and how to reach them.

import type { AnswerTo } from '@almoner/client'
import { Anchor, Badge, Group, Paper, Text } from '@mantine/core'
import { UnverifiedIcon, VerifiedIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useOrganization } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { patient as texts } from './messages.ts'
import classes from './patient.module.css'
import { groupsOf, tagsOf } from './questions.ts'

export type Individual = AnswerTo<'getIndividual'>
export type Patient = AnswerTo<'getPatient'>

/** Whole years since a calendar day. */
function ageOn(birthDate: string, today = new Date()): number {
  const [year = 0, month = 1, day = 1] = birthDate.split('-').map(Number)
  const isBefore = today.getMonth() + 1 < month || (today.getMonth() + 1 === month && today.getDate() < day)
  return today.getFullYear() - year - (isBefore ? 1 : 0)
}

export function Identity({ individual, patient }: { individual: Individual; patient: Patient }) {
  const t = useMessages(texts)
  const formats = useFormats()
  const organization = useOrganization()
  const groupIds = patient.individualGroupIds
  const isStaff = useMay('org-admin', 'provider')
  const { data: groups } = useQuery({
    ...groupsOf(organization.id, groupIds),
    enabled: isStaff && groupIds.length > 0,
  })
  const { data: tags } = useQuery({ ...tagsOf(organization.id, individual.id), enabled: isStaff })
  const { birthDate, gender, email, mobilePhone, preferredName, tz } = patient
  const state = individual.state ?? 'init'
  return (
    <Paper withBorder p="md" component="section" aria-label={t.identity}>
      <dl className={classes.facts}>
        <Fact name={t.state}>
          <Badge variant="light" color={GONE.includes(state) ? 'red' : 'gray'} tt="none" className={classes.badge}>
            {t.states[state]}
          </Badge>
        </Fact>
        <Fact name={t.birthDate}>
          {birthDate ? `${formats.day(birthDate)} (${t.years(ageOn(birthDate))})` : t.unknown}
        </Fact>
        {preferredName && <Fact name={t.preferredName}>{preferredName}</Fact>}
        <Fact name={t.gender}>{t.genders[gender ?? 'unknown']}</Fact>
        <Fact name={t.email}>
          {email ? (
            <Reached href={`mailto:${email}`} text={email} isVerified={individual.emailVerified ?? false} />
          ) : (
            t.none
          )}
        </Fact>
        <Fact name={t.phone}>
          {mobilePhone ? (
            <Reached href={`tel:${mobilePhone}`} text={mobilePhone} isVerified={individual.phoneVerified ?? false} />
          ) : (
            t.none
          )}
        </Fact>
        {tz && <Fact name={t.timeZone}>{tz.replaceAll('_', ' ')}</Fact>}
        {isStaff && (
          <Fact name={t.groups}>
            {groups && groups.items.length > 0 ? (
              <Group gap={4} component="span">
                {groups.items.map(({ id, name }) => (
                  <Anchor key={id} size="sm" component={Link} to={LIST} search={{ group: id } as never} mr={6}>
                    {name}
                  </Anchor>
                ))}
              </Group>
            ) : (
              t.none
            )}
          </Fact>
        )}
        {tags && tags.items.length > 0 && (
          <Fact name={t.tags}>
            {tags.items.map(({ id, name }) => (
              <Badge key={id} variant="default" tt="none" mr={4} className={classes.badge}>
                {name}
              </Badge>
            ))}
          </Fact>
        )}
      </dl>
    </Paper>
  )
}

const LIST: string = '/patients'
const GONE: string[] = ['archived', 'disabled', 'registered_disabled']

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  )
}

function Reached({ href, text, isVerified }: { href: string; text: string; isVerified: boolean }) {
  const t = useMessages(texts)
  const Icon = isVerified ? VerifiedIcon : UnverifiedIcon
  return (
    <>
      <Anchor size="sm" href={href} mr={6} className={classes.address}>
        {text}
      </Anchor>
      <Text span size="xs" c="dimmed" className={classes.verified}>
        <Icon size={14} /> {isVerified ? t.verified : t.unverified}
      </Text>
    </>
  )
}
