import { kindsMeant } from '@almoner/contract'
import { type HappenedEvent, listEvents } from '@almoner/contract/integrator/events'
import { sightOf } from '../../platform/auth/sight.ts'
import { implement } from '../../platform/http/implementation.ts'
import { eventsPage } from './queries/events.ts'

export const listing = [
  implement(listEvents, async ({ filter, sort, page }, { db, actor, reach, audit }) => {
    const { kind, ...rest } = filter
    const asked = { ...rest, ...(kind ? { kinds: kindsMeant(kind) } : {}) }
    const { items, total } = await eventsPage(db, await sightOf(db, actor, reach), asked, sort, page)
    audit.touched(
      items.flatMap(({ individualId }) => individualId ?? []),
      items.map(({ organizationId }) => organizationId),
    )
    // What is kept was published as its kind says.
    return { items: items as unknown as HappenedEvent[], total }
  }),
]
