// Two records of the same person become one.

import { mergeIndividuals } from '@almoner/contract/people/individuals'
import { endSessionsOf } from '../../platform/auth/sessions.ts'
import { type Sight, sightOf } from '../../platform/auth/sight.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { moveAlerts } from '../alerts/index.ts'
import { changeUser, organizationIdsOf } from '../identity/index.ts'
import { moveSeries } from '../metrics/index.ts'
import { moveNotifications } from '../notifications/index.ts'
import { shown } from './individuals.ts'
import { findIndividual } from './queries/listing.ts'
import { changePatient } from './queries/patients.ts'
import { exchangeUsers, findRecord, type IndividualRecord, lockRecords, moveBelongings } from './queries/records.ts'

export const merging = [
  implement(mergeIndividuals, async ({ id, body }, { db, actor, reach, now, audit, events }) => {
    const other = body.individualId
    const pointer = '/individual-id'
    if (other === id) throw new Problem('InvalidValue', { pointer, fault: 'must be another record' })
    const sight = await sightOf(db, actor, reach)
    await lockRecords(db, [id, other])
    const kept = await patientRecord(db, sight, id)
    const gone = await patientRecord(db, sight, other)
    if (!kept) throw new Problem('NotFound', { what: 'individual' })
    if (!gone) throw new Problem('InvalidValue', { pointer, fault: 'must be a patient you can see' })
    for (const { mergedInto } of [kept, gone]) if (mergedInto) throw new Problem('RecordMerged', { id: mergedInto })
    if (kept.state === 'archived') throw new Problem('StateNotAllowed', { from: 'archived', to: 'merged into' })
    const organizations = [...(await organizationIdsOf(db, kept.userId)), ...(await organizationIdsOf(db, gone.userId))]
    if (organizations.some((one) => !reach.includes(one))) throw new Problem('PermissionDenied')

    // Whoever of the two can sign in goes on to.
    const isExchanged = kept.passwordHash === null && gone.passwordHash !== null && gone.state !== 'archived'
    if (isExchanged) await exchangeUsers(db, kept, gone)
    await moveBelongings(db, gone.id, kept.id)
    await changePatient(db, kept.id, missingOf(kept, gone, isExchanged))
    const goneUser = isExchanged ? kept.userId : gone.userId
    // The addresses go with the users: what the kept record had is kept in the one that is gone.
    const left = isExchanged ? { email: kept.email, mobilePhone: kept.mobilePhone } : {}
    await changePatient(db, gone.id, { ...left, mergedInto: kept.id })
    await moveSeries(db, gone.id, kept.id)
    await moveAlerts(db, gone.id, kept.id, now)
    await moveNotifications(db, gone.id, kept.id)
    // The name is free for whoever comes to use that address.
    await changeUser(db, goneUser, { state: 'archived', username: gone.id })
    await endSessionsOf(db, goneUser, now)

    const merged = await findIndividual(db, sight, id)
    if (!merged) throw new Problem('NotFound', { what: 'individual' })
    audit.touched([kept.id, gone.id], [...new Set(organizations)])
    for (const organizationId of new Set(organizations))
      await events.publish('individual.merged', {
        organizationId,
        individualId: kept.id,
        data: { individualId: kept.id, mergedIndividualId: gone.id },
      })
    return shown(merged)
  }),
]

async function patientRecord(db: Database, sight: Sight, id: string): Promise<IndividualRecord | undefined> {
  const record = (await findIndividual(db, sight, id)) && (await findRecord(db, id))
  return record?.roles.every((role) => role === 'patient') ? record : undefined
}

const FILLED = ['preferredName', 'birthDate', 'gender', 'tz', 'email', 'mobilePhone'] as const

/** What the kept record lacks. The addresses go with the user who signs in by them. */
function missingOf(kept: IndividualRecord, gone: IndividualRecord, isExchanged: boolean): Partial<IndividualRecord> {
  const [first, second] = isExchanged ? [gone, kept] : [kept, gone]
  const addresses = { email: first.email ?? second.email, mobilePhone: first.mobilePhone ?? second.mobilePhone }
  const filled = Object.fromEntries(FILLED.map((name) => [name, kept[name] ?? gone[name]]))
  const communicationPreferences = { ...gone.communicationPreferences, ...kept.communicationPreferences }
  return { ...filled, ...addresses, communicationPreferences }
}
