import { metricTypes } from '@almoner/contract/metrics/metric-types'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { columnsOf } from '../points.ts'

/** At every start: what the columns of each type mean, for the view that shows points as rows. */
export async function writeMetricFields(db: Database): Promise<void> {
  const rows = [...metricTypes.values()].flatMap((type) =>
    columnsOf(type).map(({ name, values }, place) => ({
      type: type.name,
      place,
      name,
      kind: type.fields[name]?.kind ?? 'fields',
      choices: values ? [...values] : null,
    })),
  )
  await db
    .insertInto('metricFields')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['type', 'place']).doUpdateSet({
        name: sql`excluded.name`,
        kind: sql`excluded.kind`,
        choices: sql`excluded.choices`,
      }),
    )
    .execute()
}
