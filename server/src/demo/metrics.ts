// Which of the made-up patients measure something at home, and what it says. The same seed, day and index give the same
// readings, whatever else is made and however long the history is. Nothing here looks at a clock or a database.

import * as devices from './devices.ts'
import { clinicGroups } from './groups.ts'
import { LocalDays, momentText } from './local-days.ts'
import { type Patient, type Population, patient } from './population.ts'
import { Random } from './random.ts'

/** As it is pushed. */
export interface Point extends Record<string, number | string> {
  type: string
  time: string
  source: string
}

export interface Monitored {
  index: number
  patient: Patient
  devices: devices.Device[]
}

export interface Monitoring extends Population {
  /** How many patients the clinic has. */
  patients: number
  /** The share of them who measure something, and how many at most. */
  monitored: number
  monitoredPatients: number
}

const DRAWS = { isMonitored: 40, habits: 41, readings: 42 }
const DAY_SECONDS = 86_400
/** Those who can sign in, and have something to show when they do. */
const ALWAYS = 3
const GONE = new Set(['archived', 'disabled', 'registered_disabled'])
const USUAL_ZONE = 'America/New_York'

/** The first so many who are monitored: a larger clinic adds later ones. */
export function* monitoredPatients(monitoring: Monitoring): Generator<Monitored> {
  const { seed, patients, monitored, monitoredPatients: most } = monitoring
  const programmes = programmesOf(seed, patients)
  let count = 0
  for (let index = 0; index < patients && count < most; index++) {
    const isChosen = new Random(seed, DRAWS.isMonitored, index).chance(monitored) || (index < ALWAYS && monitored > 0)
    if (!isChosen) continue
    const one = patient(monitoring, index)
    if (GONE.has(one.state)) continue
    count++
    const treatedFor = one.groupIds.flatMap((id) => programmes.get(id) ?? [])
    yield { index, patient: one, devices: devicesOf(new Random(seed, DRAWS.habits, index), new Set(treatedFor)) }
  }
}

/** A group is named after its programme and its site. */
const programmesOf = (seed: number, patients: number) =>
  new Map(clinicGroups(seed, patients).map(({ id, name }) => [id, name.split(', ')[0] as string]))

const PRESCRIPTIONS: Record<string, devices.Prescription[]> = {
  Hypertension: [{ name: 'Lisinopril', value: 10, unit: 'mg', hours: [8] }],
  Diabetes: [{ name: 'Metformin', value: 500, unit: 'mg', hours: [8.2, 18.6] }],
  'Heart failure': [
    { name: 'Furosemide', value: 40, unit: 'mg', hours: [7.8] },
    { name: 'Carvedilol', value: 6.25, unit: 'mg', hours: [8, 20] },
  ],
  COPD: [{ name: 'Tiotropium', value: 18, unit: 'µg', hours: [8.5] }],
  Asthma: [{ name: 'Fluticasone', value: 100, unit: 'µg', hours: [8.5, 21] }],
}
const WATCHES = ['Apple Watch', 'Fitbit Charge', 'Garmin Venu', 'Withings ScanWatch']
const WITH_PRESSURE = ['Chronic kidney disease', 'Cardiac rehabilitation', 'Stroke recovery', 'Maternal health']

function devicesOf(random: Random, treatedFor: Set<string>): devices.Device[] {
  const is = (...programmes: string[]) => programmes.some((name) => treatedFor.has(name))
  const all: devices.Device[] = []
  const wearsWatch = treatedFor.size === 0 || random.chance(0.4)
  if (wearsWatch) all.push(devices.watch(random, random.pick(WATCHES)))
  if (random.chance(0.3)) all.push(devices.phone(random, random.pick(['iPhone', 'Android phone'])))
  if (is('Hypertension', 'Heart failure', ...WITH_PRESSURE) || random.chance(0.2))
    all.push(devices.cuff(random, random.pick(['Omron M7', 'Withings BPM', 'A&D UA-651']), is('Hypertension')))
  if (is('Diabetes')) {
    all.push(devices.glucoseMeter(random, random.pick(['Contour Next', 'Accu-Chek Guide', 'OneTouch Verio'])))
    if (random.chance(0.3)) all.push(devices.glucoseSensor(random, random.pick(['Dexcom G7', 'FreeStyle Libre'])))
  }
  if (is('Heart failure')) all.push(devices.scale(random, 'Withings Body', 'heart failure'))
  else if (is('Weight management')) all.push(devices.scale(random, 'Fitbit Aria', 'weight management'))
  if (is('COPD', 'Heart failure', 'Asthma') || random.chance(0.15))
    all.push(devices.oximeter(random, 'Nonin Onyx', is('COPD')))
  const prescriptions = [...treatedFor].flatMap((name) => PRESCRIPTIONS[name] ?? [])
  if (prescriptions.length > 0 || random.chance(0.5)) all.push(devices.diary(random, 'diary', prescriptions))
  return all
}

/**
 * What the devices say from so many days ago on, or since the patient came; in pieces, so that months of minutes need
 * not be held at once.
 */
export function* readings({ seed, until }: Population, one: Monitored, days: number): Generator<Point[]> {
  const end = until.getTime() / 1000
  const begin = Math.max(end - days * DAY_SECONDS, Math.ceil(one.patient.createdAt.getTime() / 1000))
  const clock = new LocalDays(one.patient.tz ?? USUAL_ZONE)
  const firstDay = Math.floor(begin / DAY_SECONDS) - 1
  const afterDays = Math.ceil(end / DAY_SECONDS) + 1
  for (const [place, { source, daysAtOnce, day: readDay }] of one.devices.entries()) {
    let points: Point[] = []
    for (let number = firstDay; number < afterDays; number++) {
      const { start, seconds } = clock.day(number)
      readDay(number, new Random(seed, DRAWS.readings, one.index, place, number), (type, second, fields) => {
        const time = start + second
        if (second < seconds && time >= begin && time < end)
          points.push({ type, time: momentText(time), source, ...fields })
      })
      // By the calendar, so that a piece does not depend on where the history begins.
      if ((number + 1) % daysAtOnce === 0 && points.length > 0) {
        yield points
        points = []
      }
    }
    if (points.length > 0) yield points
  }
}
