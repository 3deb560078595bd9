// `npm run rotate-key`: encrypts anew, with the instance key of now, what earlier keys encrypted. A day later, when
// codes and repeated requests of before have run out, PREVIOUS_INSTANCE_KEYS can be emptied. It may be run again, and
// beside a running service.

import { encryptAnew } from '../platform/auth/key-rotation.ts'
import { loadSecrets } from '../platform/auth/secrets.ts'
import { withDatabase } from './with-database.ts'

await withDatabase(async ({ db, settings }) => {
  for (const [place, count] of Object.entries(await encryptAnew(db, await loadSecrets(settings))))
    console.log(`${place}: ${count} encrypted anew`)
})
