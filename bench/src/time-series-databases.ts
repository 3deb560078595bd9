// Time-series databases beside which points are taken in, where the machine has them (Debian: influxdb,
// victoria-metrics). Both take the line protocol over HTTP.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface OtherDatabase {
  name: string
  writeUrl: string
  stop(): Promise<void>
}

const has = (program: string) => spawnSync('which', [program]).status === 0
const READY_WITHIN_MS = 20_000

export async function startOthers(): Promise<OtherDatabase[]> {
  const others: OtherDatabase[] = []
  for (const [program, start] of Object.entries({ influxd: startInflux, 'victoria-metrics': startVictoria }))
    if (has(program)) others.push(await start())
    else console.log(`There is no ${program} here, so it is left out.`)
  return others
}

async function startInflux(): Promise<OtherDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-influx-'))
  const port = 18_086
  const folders = Object.fromEntries(['meta', 'data', 'wal'].map((name) => [name, join(directory, name)]))
  for (const folder of Object.values(folders)) await mkdir(folder)
  const settings = `reporting-disabled = true
bind-address = "127.0.0.1:18088"
[meta]
  dir = "${folders.meta}"
[data]
  dir = "${folders.data}"
  wal-dir = "${folders.wal}"
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`
  await writeFile(join(directory, 'influxdb.conf'), settings)
  const child = spawn('influxd', ['-config', join(directory, 'influxdb.conf')], { stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  await untilReady(`${base}/ping`)
  await fetch(`${base}/query`, { method: 'POST', body: new URLSearchParams({ q: 'create database bench' }) })
  return {
    name: 'InfluxDB, line protocol',
    writeUrl: `${base}/write?db=bench&precision=s`,
    stop: stopping(child, directory),
  }
}

async function startVictoria(): Promise<OtherDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'almoner-victoria-'))
  const address = '127.0.0.1:18428'
  const child = spawn(
    'victoria-metrics',
    [`-storageDataPath=${directory}`, `-httpListenAddr=${address}`, '-retentionPeriod=100y'],
    {
      stdio: 'ignore',
    },
  )
  await untilReady(`http://${address}/health`)
  return {
    name: 'VictoriaMetrics, line protocol, not durable per request',
    writeUrl: `http://${address}/write?precision=s`,
    stop: stopping(child, directory),
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`)
    await sleep(100)
  }
}

const stopping = (child: ChildProcess, directory: string) => async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  await rm(directory, { recursive: true, force: true })
}
