import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { call, makePerson, ORGANIZATIONS, startTestService, until } from '../support/service.ts'

const program = ['redis-server', 'valkey-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
if (!program) console.warn('SKIPPED: there is no redis-server or valkey-server here, so shared quotas are not tested.')

async function startRedis(port: number) {
  const child = spawn(program as string, ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const stop = async () => {
    child.kill()
    await ended
  }
  cleanUp(stop)
  await sleep(500)
  return stop
}

test.skipIf(!program)('processes share a quota through Redis, and go on by themselves when it is away', async () => {
  const port = 30_000 + Math.floor(Math.random() * 10_000)
  const stopRedis = await startRedis(port)
  const environment = { REDIS_URL: `redis://127.0.0.1:${port}`, USER_QUOTA: '50' }
  const [one, other] = [await startTestService({ environment }), await startTestService({ environment })]
  const person = await makePerson(one, [])
  const used = async (service: typeof one, token: string) =>
    Number((await call(service, ORGANIZATIONS, { token })).headers.get('x-ratelimit-used'))
  expect(await used(one, person.token)).toBe(1)
  expect(await used(one, person.token)).toBe(2)
  const ip = async (service: typeof one) => Number((await call(service, ORGANIZATIONS)).headers.get('x-ratelimit-used'))
  const before = await ip(one)
  expect(await ip(other)).toBe(before + 1)
  expect((await call(one, '/ready/')).body.checks.redis).toBe(true)
  await stopRedis()
  expect((await call(one, ORGANIZATIONS, { token: person.token })).status).toBe(200)
  await until(async () => (await call(one, '/ready/')).body.checks.redis === false)
})
