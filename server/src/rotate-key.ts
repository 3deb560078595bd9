// `npm run rotate-key`: encrypts anew, with the instance key of now, what earlier keys encrypted. A day later, when
// codes and repeated requests of before have run out, PREVIOUS_INSTANCE_KEYS can be emptied. It may be run again, and
// beside a running service; one with an embedded PostgreSQL is stopped first.

import { encryptAnew } from './platform/auth/key-rotation.ts'
import { loadSecrets } from './platform/auth/secrets.ts'
import { createLog } from './platform/config/log.ts'
import { readSettings } from './platform/config/settings.ts'
import { claimDataDirectory } from './platform/db/data-directory.ts'
import { connectPool, database } from './platform/db/database.ts'
import { startEmbeddedPostgres } from './platform/db/embedded-postgres.ts'

const settings = readSettings(process.env)
const log = createLog(settings.logLevel)
const secrets = await loadSecrets(settings)
const closers: (() => Promise<unknown>)[] = []
try {
  let { databaseUrl } = settings
  if (!databaseUrl) {
    closers.push(await claimDataDirectory(settings.dataDir))
    const postgres = await startEmbeddedPostgres({ directory: settings.dataDir, log })
    closers.push(postgres.stop)
    databaseUrl = postgres.url('postgres')
  }
  const pool = connectPool({ url: databaseUrl, poolSize: 2, statementTimeoutMs: settings.statementTimeoutMs, log })
  closers.push(() => pool.end())
  for (const [place, count] of Object.entries(await encryptAnew(database(pool), secrets))) {
    console.log(`${place}: ${count} encrypted anew`)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  for (const close of closers.reverse()) await close()
}
