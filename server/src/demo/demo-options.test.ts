import { expect, test } from 'vitest'
import { readDemoOptions } from './demo-options.ts'
import { duration, progressOn } from './progress.ts'

const now = new Date('2026-08-11T17:30:00Z')
const read = (...args: string[]) => readDemoOptions(args, now)

test('without options there are 500 patients until today', () => {
  expect(read()).toEqual({
    patients: 500,
    seed: 1,
    until: new Date('2026-08-11T00:00:00Z'),
    organization: undefined,
    days: 90,
    monitored: 0.2,
    monitoredPatients: 200,
  })
})

test('each option is read', () => {
  const people = ['--patients', '200000', '--seed=7', '--until', '2025-12-31', '--organization', 'Riverside']
  const readings = ['--days', '30', '--monitored', '.05', '--monitored-patients', '1000']
  expect(read(...people, ...readings)).toEqual({
    patients: 200_000,
    seed: 7,
    until: new Date('2025-12-31T00:00:00Z'),
    organization: 'Riverside',
    days: 30,
    monitored: 0.05,
    monitoredPatients: 1000,
  })
  expect(read('--patients', 'x', '--help')).toBe('help')
})

test.each([
  [['--patients', '0'], '--patients must be a whole number from 1 to 10000000.'],
  [['--patients', '-5'], "Option '--patients' argument is ambiguous. See npm run demo -- --help."],
  [['--seed', '4294967296'], '--seed must be a whole number from 0 to 4294967295.'],
  [['--until', '2026-02-30'], '--until must be a day such as 2026-01-31, from 2010-01-01 on.'],
  [['--until', '2001-01-01'], '--until must be a day such as 2026-01-31, from 2010-01-01 on.'],
  [['--days', '0'], '--days must be a whole number from 1 to 3650.'],
  [['--monitored', '20%'], '--monitored must be a share from 0 to 1, such as 0.25.'],
  [['--monitored', '1.5'], '--monitored must be a share from 0 to 1, such as 0.25.'],
  [['--patient', '5'], "Unknown option '--patient'. See npm run demo -- --help."],
  [['--seed'], "Option '--seed <value>' argument missing. See npm run demo -- --help."],
  [['5000'], "Unexpected argument '5000'. See npm run demo -- --help."],
])('%j is refused in one line', (args, message) => {
  expect(() => read(...args)).toThrow(new Error(message))
})

test('elsewhere than on a terminal each tenth is a line', () => {
  let [clock, written] = [0, '']
  const progress = progressOn({ write: (text) => (written += text) }, () => clock)
  for (const done of [400, 1000, 1050, 2600, 4000]) {
    clock = done
    progress(done, 4000)
  }
  expect(written.split('\n')).toEqual([
    '400 of 4,000: 10%, 1,000 people a second, 4 s left',
    '1,000 of 4,000: 25%, 1,000 people a second, 3 s left',
    '2,600 of 4,000: 65%, 1,000 people a second, 1 s left',
    '4,000 of 4,000: 100%, 1,000 people a second, 0 s left',
    '',
  ])
})

test('on a terminal a bar moves in its line', () => {
  let written = ''
  const progress = progressOn({ isTTY: true, write: (text) => (written += text) }, () => 0)
  progress(1, 2)
  progress(2, 2)
  const [first, second] = written.split('\r').slice(1)
  expect(first).toContain('███████████████░░░░░░░░░░░░░░░ 50%')
  expect(second).toMatch(/100%.*\n$/)
})

test('durations are said in minutes when they are long', () => {
  expect([0.4, 59.4, 59.6, 119.7, 150].map(duration)).toEqual(['0 s', '59 s', '1 min 0 s', '2 min 0 s', '2 min 30 s'])
})
