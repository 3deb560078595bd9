// The classification sets that come with the product, for adults. An organization may put its own in their place.

import type { Range } from './classification-rules.ts'

interface ShippedSet {
  id: string
  name: string
  metricType: string
  field: string
  origin: string
  ranges: Range[]
}

const PRESSURE =
  'Adults. Normal to stage 2 as in the 2017 ACC/AHA guideline for high blood pressure; crisis above 180 or 120 mmHg as there; low below 90 or 60 mmHg, the usual bounds of hypotension.'
const GLUCOSE =
  'Adults, mg/dL. Fasting and two hours after a meal as the diagnostic ranges of the American Diabetes Association’s Standards of Care; hypoglycemia level 1 below 70 and level 2 below 54, as there. Other contexts by the 70 to 180 target range of the international consensus on time in range.'

const below = (to: number, label: string, tone: Range['tone'], context: string | null = null): Range => ({
  label,
  from: null,
  to,
  context,
  tone,
})
const between = (
  from: number,
  to: number,
  label: string,
  tone: Range['tone'],
  context: string | null = null,
): Range => ({
  label,
  from,
  to,
  context,
  tone,
})
const since = (from: number, label: string, tone: Range['tone'], context: string | null = null): Range => ({
  label,
  from,
  to: null,
  context,
  tone,
})

const hypoglycemia = (context: string | null): Range[] => [
  below(54, 'very-low', 'danger', context),
  between(54, 70, 'low', 'bad', context),
]

export const shippedSets: ShippedSet[] = [
  {
    id: '0197a000-0000-7000-8000-000000000001',
    name: 'Systolic blood pressure of adults',
    metricType: 'BloodPressure',
    field: 'systolic',
    origin: PRESSURE,
    ranges: [
      below(90, 'low', 'bad'),
      between(90, 120, 'normal', 'good'),
      between(120, 130, 'elevated', 'watch'),
      between(130, 140, 'stage-1', 'watch'),
      between(140, 181, 'stage-2', 'bad'),
      since(181, 'crisis', 'danger'),
    ],
  },
  {
    id: '0197a000-0000-7000-8000-000000000002',
    name: 'Diastolic blood pressure of adults',
    metricType: 'BloodPressure',
    field: 'diastolic',
    origin: PRESSURE,
    ranges: [
      below(60, 'low', 'bad'),
      between(60, 80, 'normal', 'good'),
      between(80, 90, 'stage-1', 'watch'),
      between(90, 121, 'stage-2', 'bad'),
      since(121, 'crisis', 'danger'),
    ],
  },
  {
    id: '0197a000-0000-7000-8000-000000000003',
    name: 'Blood glucose of adults, by context',
    metricType: 'BloodGlucose',
    field: 'value',
    origin: GLUCOSE,
    ranges: [
      ...hypoglycemia('FASTING'),
      between(70, 100, 'normal', 'good', 'FASTING'),
      between(100, 126, 'prediabetes', 'watch', 'FASTING'),
      since(126, 'high', 'bad', 'FASTING'),
      ...hypoglycemia('AFTER_MEAL'),
      between(70, 140, 'normal', 'good', 'AFTER_MEAL'),
      between(140, 200, 'prediabetes', 'watch', 'AFTER_MEAL'),
      since(200, 'high', 'bad', 'AFTER_MEAL'),
      ...hypoglycemia(null),
      between(70, 181, 'in-range', 'good'),
      between(181, 251, 'above-range', 'watch'),
      since(251, 'far-above-range', 'bad'),
    ],
  },
]
