// The rules of a made-up clinic, and what its staff do about alerts. Nothing here looks at a clock or a database.

import { type Watched, watchedColumns } from '../features/alerts/rule.ts'
import { Random } from './random.ts'

interface DemoRule {
  name: string
  severity: 'info' | 'warning' | 'critical'
  watched: Watched
}

const NOTHING: Omit<Watched, 'metricType' | 'field' | 'kind'> = {
  individualId: null,
  groupId: null,
  direction: null,
  threshold: null,
  clearThreshold: null,
  from: null,
  to: null,
  period: null,
  hours: null,
}

function crossing(
  [metricType, field]: [string, string],
  direction: 'above' | 'below',
  threshold: number,
  clearThreshold: number,
): Watched {
  return { ...NOTHING, metricType, field, kind: 'watermark', direction, threshold, clearThreshold } as Watched
}

const SYSTOLIC: [string, string] = ['BloodPressure', 'systolic']
const GLUCOSE: [string, string] = ['BloodGlucose', 'value']
const FOR_EVERYONE: DemoRule[] = [
  { name: 'Systolic pressure above 160', severity: 'warning', watched: crossing(SYSTOLIC, 'above', 160, 150) },
  { name: 'Systolic pressure above 180', severity: 'critical', watched: crossing(SYSTOLIC, 'above', 180, 150) },
  {
    name: 'Oxygen saturation below 90',
    severity: 'critical',
    watched: crossing(['OxygenSaturation', 'value'], 'below', 90, 92),
  },
  { name: 'Blood glucose above 250', severity: 'warning', watched: crossing(GLUCOSE, 'above', 250, 220) },
  { name: 'Blood glucose below 70', severity: 'critical', watched: crossing(GLUCOSE, 'below', 70, 80) },
]

const DRAWS = { rules: 50, care: 51 }

export interface RuleColumns {
  seed: number
  organizationId: string
  createdBy: string
  since: Date
}

/** For everyone, and for some who measure their pulse: that readings come at all. */
export function demoRules({ seed, organizationId, createdBy, since }: RuleColumns, measured: string[]) {
  const silences = measured.map(
    (individualId): DemoRule => ({
      name: 'No pulse for 48 hours',
      severity: 'info',
      watched: { ...NOTHING, individualId, metricType: 'Pulse', field: null, kind: 'no-data', hours: 48 } as Watched,
    }),
  )
  return [...FOR_EVERYONE, ...silences].map(({ name, severity, watched }, place) => ({
    ...watchedColumns(organizationId, watched),
    ...{ id: new Random(seed, DRAWS.rules, place).uuid(since), organizationId, name, severity, createdBy },
    ...{ effectiveFrom: since, createdAt: since, lastModifiedAt: since, enabled: true, worklistEntry: null },
    notify: { individualIds: [], groupIds: [], patient: false, channels: ['in-app' as const] },
  }))
}

export interface Care {
  /** Minutes until someone takes it up, and until it is cleared by hand; null when neither happens. */
  acknowledgedAfter: number | null
  clearedAfter: number | null
  note: string | null
  /** Which of the staff, from 0 to less than 1. */
  who: number
}

const NOTES = [
  'Called, feels well. Measures again tonight.',
  'Left a voicemail.',
  'Medication was forgotten yesterday, taken now.',
  'Spoke with the daughter, visit tomorrow.',
  'Known since last week, dose was raised.',
  'Measured again after resting: better.',
]
const FALSE_ALARMS = ['The cuff was loose.', 'Measured right after the stairs.', 'The finger was cold.']

/** Of the same person and moment always the same. */
export function careFor(seed: number, index: number, ruleName: string, firedAt: Date): Care {
  const random = new Random(seed, DRAWS.care, index, ruleName.length, Math.floor(firedAt.getTime() / 1000))
  const who = random.fraction()
  const isFalse = random.chance(0.12)
  const isTaken = random.chance(0.5)
  const minutes = Math.round(random.between(4, 170))
  const note = random.pick(isFalse ? FALSE_ALARMS : NOTES)
  return {
    acknowledgedAfter: isTaken && !isFalse ? minutes : null,
    clearedAfter: isFalse ? minutes : null,
    note: random.chance(0.7) || isFalse ? note : null,
    who,
  }
}
