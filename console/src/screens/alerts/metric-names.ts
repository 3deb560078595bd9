// What metrics, their fields and their states are called, and values with their units.

import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../language/formats.ts'
import { type Language, useLanguage } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'

type Names = Record<string, readonly [en: string, es: string]>

const TYPES: Names = {
  ActiveEnergyBurned: ['Active energy burned', 'Energía activa quemada'],
  ActiveTime: ['Active time', 'Tiempo activo'],
  AerobicSteps: ['Aerobic steps', 'Pasos aeróbicos'],
  AirQualityIndex: ['Air quality index', 'Índice de calidad del aire'],
  Auscultation: ['Auscultation', 'Auscultación'],
  BloodGlucose: ['Blood glucose', 'Glucosa en sangre'],
  BloodPressure: ['Blood pressure', 'Presión arterial'],
  BodyFatPercentage: ['Body fat', 'Grasa corporal'],
  BodyMass: ['Body mass', 'Peso'],
  BodyMassGoal: ['Body mass goal', 'Peso deseado'],
  BodyMassIndex: ['Body mass index', 'Índice de masa corporal'],
  BodyMassLean: ['Lean body mass', 'Masa magra'],
  BodyTemperature: ['Body temperature', 'Temperatura corporal'],
  Covid19: ['Covid-19 cases', 'Casos de covid-19'],
  DailyActivity: ['Activity of a day', 'Actividad del día'],
  DailyHeartRate: ['Heart rate zone of a day', 'Zona de frecuencia cardíaca del día'],
  Distance: ['Distance', 'Distancia'],
  Dqv: ['Diet quality value', 'Calidad de la dieta'],
  FeelingRating: ['Feeling rating', 'Cómo se siente'],
  FluActivity: ['Flu activity', 'Actividad de la gripe'],
  ForcedExpiratoryVolume: ['Forced expiratory volume', 'Volumen espiratorio forzado'],
  HbA1c: ['HbA1c', 'HbA1c'],
  Height: ['Height', 'Estatura'],
  Hematocrit: ['Hematocrit', 'Hematocrito'],
  Hemoglobin: ['Hemoglobin', 'Hemoglobina'],
  Medication: ['Medication taken', 'Medicamento tomado'],
  Mindfulness: ['Mindfulness', 'Atención plena'],
  OxygenSaturation: ['Oxygen saturation', 'Saturación de oxígeno'],
  PeakFlow: ['Peak flow', 'Flujo máximo'],
  PeriodicPulse: ['Periodic pulse', 'Pulso periódico'],
  PollenGrassIndex: ['Grass pollen index', 'Índice de polen de gramíneas'],
  PollenRagweedIndex: ['Ragweed pollen index', 'Índice de polen de ambrosía'],
  PollenTreeIndex: ['Tree pollen index', 'Índice de polen de árboles'],
  PotassiumLevel: ['Potassium level', 'Nivel de potasio'],
  Pulse: ['Pulse', 'Pulso'],
  SkinTemperature: ['Skin temperature', 'Temperatura de la piel'],
  SleepAnalysis: ['Sleep', 'Sueño'],
  Steps: ['Steps', 'Pasos'],
  Vo2Max: ['Maximal oxygen uptake', 'Consumo máximo de oxígeno'],
  WaistCircumference: ['Waist circumference', 'Perímetro de la cintura'],
  WaterIntake: ['Water intake', 'Agua bebida'],
}

const FIELDS: Names = {
  systolic: ['Systolic pressure', 'Presión sistólica'],
  diastolic: ['Diastolic pressure', 'Presión diastólica'],
  calories: ['Calories', 'Calorías'],
  steps: ['Steps', 'Pasos'],
  distance: ['Distance', 'Distancia'],
  floors: ['Floors', 'Pisos'],
  sedentary: ['Sedentary time', 'Tiempo sedentario'],
  active_low: ['Light activity', 'Actividad ligera'],
  active_medium: ['Moderate activity', 'Actividad moderada'],
  active_high: ['Intense activity', 'Actividad intensa'],
  zone_max: ['Top of the zone', 'Máximo de la zona'],
  zone_minutes: ['Minutes in the zone', 'Minutos en la zona'],
}

const STATES: Names = {
  'very-low': ['Very low', 'Muy baja'],
  low: ['Low', 'Baja'],
  normal: ['Normal', 'Normal'],
  'in-range': ['In range', 'En rango'],
  elevated: ['Elevated', 'Elevada'],
  'stage-1': ['Stage 1', 'Etapa 1'],
  'stage-2': ['Stage 2', 'Etapa 2'],
  crisis: ['Crisis', 'Crisis'],
  prediabetes: ['Prediabetes', 'Prediabetes'],
  high: ['High', 'Alta'],
  'very-high': ['Very high', 'Muy alta'],
}

/** An organization's own words stay as they are. */
const worded = (names: Names, name: string, language: Language): string => {
  const found = names[name]?.[language === 'en' ? 0 : 1]
  if (found) return found
  const spaced = name.replaceAll(/[-_]/g, ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export const METRIC_NAMES = Object.keys(TYPES)

export function useMetrics() {
  const language = useLanguage()
  const formats = useFormats()
  const { data } = useQuery({
    ...ask('listMetricTypes', { page: { limit: 1000 } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const types = data?.items ?? []
  const unitOf = (type: string, field: string | null): string =>
    types.find(({ name }) => name === type)?.fields.find(({ name }) => name === field)?.unit ?? ''
  const withUnit = (value: string, unit: string) =>
    unit === '' ? value : unit === '%' ? `${value}%` : `${value} ${unit}`
  return {
    types,
    typeName: (type: string) => worded(TYPES, type, language),
    fieldName: (field: string) => worded(FIELDS, field, language),
    /** The field where it has a name of its own, and else the type. */
    name: (type: string, field: string | null) =>
      field === null || field === 'value' ? worded(TYPES, type, language) : worded(FIELDS, field, language),
    stateName: (state: string) => worded(STATES, state, language),
    numericFields: (type: string) =>
      (types.find(({ name }) => name === type)?.fields ?? []).filter(
        ({ kind }) => kind === 'integer' || kind === 'float',
      ),
    unitOf,
    value: (type: string, field: string | null, value: number) => withUnit(formats.number(value), unitOf(type, field)),
  }
}
