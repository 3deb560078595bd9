// Every type of metric: its fields, their units, what they may be, and whether they add up. Validation, storage,
// summaries, documentation and screens all read this one table.

/**
 * - `integer`, `float`: a number within the bounds.
 * - `enumeration`: one of `values`.
 * - `text`: at most 255 characters.
 * - `uuid`
 */
export interface MetricField {
  kind: 'integer' | 'float' | 'enumeration' | 'text' | 'uuid'
  unit?: string
  /** What lies outside is impossible, not merely unhealthy. */
  minimum?: number
  maximum?: number
  values?: readonly string[]
  /** A point may be without it. */
  isOptional?: true
  /** Amounts of a period that may be summed, unlike states of a moment. */
  isAdditive?: true
}

export interface MetricType {
  name: string
  meaning: string
  fields: Readonly<Record<string, MetricField>>
  /** Takes any fields with scalar values, at least one. */
  isOpen?: true
  isDeprecated?: true
}

type More = Pick<MetricField, 'isOptional' | 'isAdditive'>
const whole = (unit: string, minimum: number, maximum: number, more: More = {}): MetricField => ({
  kind: 'integer',
  unit,
  minimum,
  maximum,
  ...more,
})
const float = (unit: string, minimum: number, maximum: number, more: More = {}): MetricField => ({
  kind: 'float',
  unit,
  minimum,
  maximum,
  ...more,
})
const choice = (values: readonly string[], more: More = {}): MetricField => ({ kind: 'enumeration', values, ...more })

const ADDS = { isAdditive: true } as const
const MAYBE = { isOptional: true } as const
const MAYBE_ADDS = { isOptional: true, isAdditive: true } as const

const one = (name: string, meaning: string, value: MetricField, more: { isDeprecated?: true } = {}): MetricType => ({
  name,
  meaning,
  fields: { value },
  ...more,
})
const OLD = { isDeprecated: true } as const

const types: MetricType[] = [
  one('ActiveEnergyBurned', 'Active energy burned', float('kcal', 0, 100_000, ADDS), OLD),
  one('ActiveTime', 'Active time', whole('min', 0, 100_000, ADDS)),
  one('AerobicSteps', 'Aerobic steps', whole('steps', 0, 10_000_000, ADDS)),
  one('AirQualityIndex', 'Air quality index', whole('index', 0, 10_000), OLD),
  { name: 'Auscultation', meaning: 'Auscultation', fields: {}, isOpen: true },
  {
    name: 'BloodGlucose',
    meaning: 'Blood glucose',
    fields: {
      value: float('mg/dL', 0, 5000),
      context: choice(['FASTING', 'BEFORE_MEAL', 'AFTER_MEAL', 'BEDTIME', 'UNSPECIFIED'], MAYBE),
    },
  },
  {
    name: 'BloodPressure',
    meaning: 'Blood pressure',
    fields: { systolic: whole('mmHg', 0, 500), diastolic: whole('mmHg', 0, 500) },
  },
  one('BodyFatPercentage', 'Body fat', float('%', 0, 100)),
  one('BodyMass', 'Body mass', float('kg', 0, 1000)),
  one('BodyMassGoal', 'Body mass goal', float('kg', 0, 1000)),
  one('BodyMassIndex', 'Body mass index', float('kg/m²', 0, 1000)),
  one('BodyMassLean', 'Lean body mass', float('kg', 0, 1000)),
  one('BodyTemperature', 'Body temperature', float('°C', 0, 60)),
  one('Covid19', 'Covid-19 cases', whole('cases', 0, 2_000_000_000)),
  {
    name: 'DailyActivity',
    meaning: 'Activity of a day',
    fields: {
      calories: whole('kcal', 0, 100_000, MAYBE_ADDS),
      steps: whole('steps', 0, 10_000_000, MAYBE_ADDS),
      distance: float('m', 0, 10_000_000, MAYBE_ADDS),
      floors: whole('floors', 0, 100_000, MAYBE_ADDS),
      sedentary: whole('min', 0, 100_000, MAYBE_ADDS),
      active_low: whole('min', 0, 100_000, MAYBE_ADDS),
      active_medium: whole('min', 0, 100_000, MAYBE_ADDS),
      active_high: whole('min', 0, 100_000, MAYBE_ADDS),
    },
  },
  {
    name: 'DailyHeartRate',
    meaning: 'Heart rate zone of a day',
    fields: { zone_max: whole('bpm', 0, 500), zone_minutes: whole('min', 0, 100_000, ADDS) },
  },
  one('Distance', 'Distance', float('m', 0, 100_000_000, ADDS)),
  one('Dqv', 'Diet quality value', float('points', -10_000, 10_000)),
  one('FeelingRating', 'Feeling rating', whole('points', 0, 100)),
  one('ForcedExpiratoryVolume', 'Forced expiratory volume', float('L', 0, 50)),
  one('FluActivity', 'Flu activity', whole('index', 0, 2_000_000_000)),
  one('HbA1c', 'HbA1c', float('%', 0, 100)),
  one('Height', 'Height', float('m', 0, 4)),
  one('Hematocrit', 'Hematocrit', float('%', 0, 100)),
  one('Hemoglobin', 'Hemoglobin', float('g/dL', 0, 100)),
  {
    name: 'Medication',
    meaning: 'Medication taken',
    fields: {
      name: { kind: 'text' },
      value: float('by unit', 0, 1_000_000_000, MAYBE),
      unit: { kind: 'text', isOptional: true },
      code: { kind: 'uuid', isOptional: true },
    },
  },
  {
    name: 'Mindfulness',
    meaning: 'Mindfulness',
    fields: { value: float('min', 0, 100_000, ADDS), context: choice(['FORMAL', 'INFORMAL'], MAYBE) },
  },
  one('OxygenSaturation', 'Oxygen saturation', float('%', 0, 100)),
  one('PeakFlow', 'Peak flow', float('L/min', 0, 5000)),
  { name: 'PeriodicPulse', meaning: 'Periodic pulse', fields: {}, isOpen: true, isDeprecated: true },
  one('PollenGrassIndex', 'Grass pollen index', whole('index', 0, 10_000), OLD),
  one('PollenRagweedIndex', 'Ragweed pollen index', whole('index', 0, 10_000), OLD),
  one('PollenTreeIndex', 'Tree pollen index', whole('index', 0, 10_000), OLD),
  { name: 'PotassiumLevel', meaning: 'Potassium level', fields: { state: choice(['LOW', 'NORMAL', 'HIGH']) } },
  one('Pulse', 'Pulse', whole('bpm', 0, 500)),
  one('SleepAnalysis', 'Sleep', choice(['IN_BED', 'ASLEEP', 'AWAKE'])),
  one('Steps', 'Steps', whole('steps', 0, 10_000_000, ADDS)),
  one('SkinTemperature', 'Skin temperature', float('°C', -60, 100)),
  one('Vo2Max', 'Maximal oxygen uptake', float('mL/kg/min', 0, 300)),
  one('WaistCircumference', 'Waist circumference', float('m', 0, 10)),
  one('WaterIntake', 'Water intake', float('L', 0, 1000, ADDS)),
]

export const metricTypes: ReadonlyMap<string, MetricType> = new Map(types.map((type) => [type.name, type]))
export const METRIC_TYPE_NAMES = types.map(({ name }) => name)

/** Fields that numbers are computed of: minimum, mean and the like. */
export const isNumeric = ({ kind }: MetricField): boolean => kind === 'integer' || kind === 'float'
