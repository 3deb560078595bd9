// The made-up clinic of the tour: what `npm run demo` makes, with the same people each time.

import { spawnSync } from 'node:child_process'

const password = 'almoner-demo-1'

export const TOUR_PEOPLE = {
  administrator: { username: 'admin1@demo.example', password },
  provider: { username: 'provider1@demo.example', password },
  patient: { username: 'patient1@demo.example', password },
}

export function fillClinic(databaseUrl: string, dataDir: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['server/src/commands/demo.ts', '--patients', '400'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The clinic of the tour could not be made: ${stderr}`)
}
