// `npm run relist`: holds the list of individuals against what it is a copy of, says what is different, and mends it.
// With `--dry-run` it only says. It may be run beside a running service.

import { parseArgs } from 'node:util'
import { checkListing } from '../features/people/index.ts'
import '../features/index.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db }) => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
  const isDry = values['dry-run']
  const { compared, missing, leftOver, outdated, columns, counts, groupCounts, readings } = await checkListing(
    db,
    !isDry,
  )
  console.log(`${compared} rows compared: ${missing} missing, ${leftOver} left over, ${outdated} outdated`)
  for (const { column, rows } of columns) console.log(`  ${column}: outdated in ${rows}`)
  console.log(`${counts} counts of the list and ${groupCounts} counts of groups were wrong`)
  console.log(`${readings} latest readings were not those of their series`)
  const isWrong = missing + leftOver + outdated + counts + groupCounts + readings > 0
  console.log(!isWrong ? 'Nothing is different.' : isDry ? 'Nothing was changed.' : 'All of it is mended.')
})
