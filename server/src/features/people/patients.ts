import type { ErrorEntry, InputOf } from '@almoner/contract'
import { createPatient, getPatient, modifyPatient } from '@almoner/contract/people/patients'
import { type Sight, sightOf } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import {
  type Account,
  changeUser,
  checkContacts,
  createAccount,
  type IdentityServices,
  lockAccount,
  organizationIdsOf,
  phoneOf,
  spendAllLinks,
  withFreeUsername,
} from '../identity/index.ts'
import { patientFaults } from './patient-rules.ts'
import { changePatient, findPatient, findUserOf, groupsToJoin, joinGroups, lookalikes } from './queries/patients.ts'

type NewPatient = InputOf<typeof createPatient>['body']
type Change = InputOf<typeof modifyPatient>['body']

export const patients = (services: IdentityServices) => [
  implement(createPatient, async ({ body }, context) => {
    const { db, actor, reach, audit } = context
    const sight = await sightOf(db, actor, reach)
    const { id, warnings } = await admitPatient(services, context, sight, body)
    audit.touched([id], [body.organizationId])
    const patient = await findPatient(db, sight, id)
    if (!patient) throw new Error(`The patient ${id} was stored and is not there.`)
    return { ...patient, meta: { warnings } }
  }),

  implement(getPatient, async ({ id }, { db, actor, reach, audit }) => {
    const patient = await findPatient(db, await sightOf(db, actor, reach), id)
    if (!patient) throw new Problem('NotFound', { what: 'patient' })
    audit.touched([id], [patient.organizationId])
    return patient
  }),

  implement(modifyPatient, async ({ id, body }, { db, actor, reach, now, audit, events }) => {
    const sight = await sightOf(db, actor, reach)
    const seen = await findPatient(db, sight, id)
    const user = seen && (await findUserOf(db, id))
    const account = user && (await lockAccount(db, user.userId))
    if (!account) throw new Problem('NotFound', { what: 'patient' })
    // Whoever is staff as well is changed as a user, by an administrator.
    if (user.roles.some((role) => role !== 'patient')) throw new Problem('PermissionDenied')
    if (user.mergedInto) throw new Problem('RecordMerged', { id: user.mergedInto })
    const faults = patientFaults(body, now)
    const contacts = await newContacts(db, account, body, reach, faults)
    if (faults.length > 0) throw Problem.of(faults)
    await withFreeUsername(() => changeUser(db, account.id, contacts.user))
    // What was sent to an address says nothing of the one that took its place.
    if (contacts.isChanged) await spendAllLinks(db, account.id, now)
    const { email: _, mobilePhone: __, ...rest } = body
    await changePatient(db, id, { ...rest, ...contacts.individual })
    audit.touched([id], [seen.organizationId])
    await events.publish('individual.updated', {
      organizationId: seen.organizationId,
      individualId: id,
      data: { individualId: id },
    })
    return (await findPatient(db, sight, id)) ?? seen
  }),
]

interface Warning {
  code: 'PossibleDuplicate'
  detail: string
  individualIds: string[]
}

/** Everything that makes a patient of what was given, or a Problem with everything that is wrong with it. */
export async function admitPatient(
  services: Pick<IdentityServices, 'outbox' | 'publicUrl'>,
  { db, queue, events, now }: Pick<Context, 'db' | 'queue' | 'events' | 'now'>,
  sight: Sight,
  body: NewPatient,
): Promise<{ id: string; warnings: Warning[] }> {
  const { organizationId, individualGroupIds, ...person } = body
  const groupIds = [...new Set(individualGroupIds)]
  const { faults, ...contacts } = checkContacts(person)
  faults.push(...patientFaults(person, now), ...(await groupFaults(db, sight, organizationId, individualGroupIds)))
  if (faults.length > 0) throw Problem.of(faults)
  const alike = await lookalikes(db, sight, { organizationId, ...person })
  const account = { ...person, ...contacts, organizationId, role: 'patient' as const }
  const { individualId } = await createAccount(services, db, queue, account, now)
  await joinGroups(db, individualId, groupIds, now)
  for (const groupId of groupIds) {
    const data = { groupId, kind: 'individuals' as const, added: 1, removed: 0 }
    await events.publish('group.members-changed', { organizationId, data })
  }
  await events.publish('individual.created', { organizationId, individualId, data: { individualId } })
  const detail = 'There are patients with the same name and birth date. Merge them if they are the same person.'
  return {
    id: individualId,
    warnings: alike.length > 0 ? [{ code: 'PossibleDuplicate', detail, individualIds: alike }] : [],
  }
}

async function groupFaults(
  db: Database,
  sight: Sight,
  organizationId: string,
  groupIds: string[],
): Promise<ErrorEntry[]> {
  const pointer = '/data/attributes/individual-group-ids'
  const isWhole = sight.organizationIds.includes(organizationId)
  // Otherwise the patient would be out of sight of the one who made the record.
  if (!isWhole && groupIds.length === 0) return new Problem('MissingValue', { pointer }).entries
  if (groupIds.length === 0) return []
  const open = await groupsToJoin(db, organizationId, groupIds)
  return groupIds.flatMap((id, index) => {
    if (open.has(id) && (isWhole || sight.groupIds.includes(id))) return []
    const fault = 'must be an active group for patients of this organization'
    return new Problem('InvalidValue', { pointer: `${pointer}/${index}`, fault }).entries
  })
}

/** What a change of addresses means for the person and for the user: a new address is nobody's until it is verified. */
async function newContacts(db: Database, account: Account, body: Change, reach: string[], faults: ErrorEntry[]) {
  const given = { email: body.email, mobilePhone: body.mobilePhone }
  if (given.email === undefined && given.mobilePhone === undefined)
    return { user: {}, individual: {}, isChanged: false }
  const organizations = await organizationIdsOf(db, account.id)
  if (organizations.some((id) => !reach.includes(id))) throw new Problem('PermissionDenied')
  const email = given.email === undefined ? account.email : given.email
  const mobilePhone = given.mobilePhone == null ? given.mobilePhone : phoneOf(given.mobilePhone)
  const phone = mobilePhone === undefined ? account.mobilePhone : mobilePhone
  if (given.mobilePhone && !phone) {
    const fault = 'must be a phone number that exists, such as +12025550123'
    faults.push(...new Problem('InvalidValue', { pointer: '/data/attributes/mobile-phone', fault }).entries)
  } else if (!email && !phone)
    faults.push(...new Problem('MissingValue', { pointer: '/data/attributes/email' }).entries)
  const isPhoneName = account.username === account.mobilePhone
  const username = (isPhoneName ? (phone ?? email) : (email ?? phone)) ?? account.username
  return {
    isChanged: email !== account.email || phone !== account.mobilePhone,
    individual: { email, mobilePhone: phone },
    user: {
      username,
      ...(email === account.email ? {} : { emailVerified: false }),
      ...(phone === account.mobilePhone ? {} : { phoneVerified: false }),
    },
  }
}
