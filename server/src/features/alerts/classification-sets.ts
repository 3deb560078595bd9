import {
  createClassificationSet,
  deleteClassificationSet,
  listClassificationSets,
  modifyClassificationSet,
} from '@almoner/contract/alerts/classification-sets'
import { v7 } from 'uuid'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { faultOfField, faultsOfRanges, gapsOf } from './classification-rules.ts'
import {
  changeSet,
  deactivateOthers,
  deleteSet,
  findSetToChange,
  insertSet,
  isShipped,
  lockReadings,
  reclassify,
  type SetRow,
  setsPage,
} from './queries/classification-sets.ts'

const ATTRIBUTES = '/data/attributes'
const saved = (set: SetRow) => ({ ...set, meta: { warnings: gapsOf(set.ranges) } })

export const classificationSets = [
  implement(listClassificationSets, (input, { db, reach }) => setsPage(db, reach, input)),

  implement(createClassificationSet, async ({ body }, { db, now }) => {
    const { metricType, field, ranges, isActive, organizationId } = body
    const faults = [...faultOfField(metricType, field, ATTRIBUTES), ...faultsOfRanges(metricType, ranges, ATTRIBUTES)]
    if (faults.length > 0) throw Problem.of(faults)
    await lockReadings(db)
    if (isActive) await deactivateOthers(db, body)
    const set = await insertSet(db, { ...body, id: v7(), createdAt: now, lastModifiedAt: now })
    if (isActive) await reclassify(db, organizationId, metricType)
    return saved(set)
  }),

  implement(modifyClassificationSet, async ({ id, body }, context) => {
    const { db, now } = context
    const set = await setToChange(context, id)
    const faults = faultsOfRanges(set.metricType, body.ranges ?? [], ATTRIBUTES)
    if (faults.length > 0) throw Problem.of(faults)
    if (body.isActive && !set.isActive) await deactivateOthers(db, set)
    const changed = await changeSet(db, id, { ...body, lastModifiedAt: now })
    if (set.isActive || changed.isActive) await reclassify(db, set.organizationId, set.metricType)
    return saved(changed)
  }),

  implement(deleteClassificationSet, async ({ id }, context) => {
    const set = await setToChange(context, id)
    await deleteSet(context.db, id)
    if (set.isActive) await reclassify(context.db, set.organizationId, set.metricType)
    return undefined
  }),
]

async function setToChange({ db, reach, audit }: Context, id: string): Promise<SetRow> {
  if (isShipped(id)) throw new Problem('ShippedClassificationSet')
  await lockReadings(db)
  const set = await findSetToChange(db, reach, id)
  if (!set) throw new Problem('NotFound', { what: 'classification set' })
  audit.touched([], set.organizationId ? [set.organizationId] : [])
  return set
}
