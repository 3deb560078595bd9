// What metrics, their fields and values are called. The service says the names of types in English; what is not known
// here is shown as it is written there.

import { type Language, useLanguage } from '../../language/language.ts'
import type { MetricField, MetricType } from './metric-types.ts'

const TYPES_ES: Record<string, string> = {
  ActiveEnergyBurned: 'Energía activa consumida',
  ActiveTime: 'Tiempo activo',
  AerobicSteps: 'Pasos aeróbicos',
  AirQualityIndex: 'Índice de calidad del aire',
  Auscultation: 'Auscultación',
  BloodGlucose: 'Glucosa en sangre',
  BloodPressure: 'Presión arterial',
  BodyFatPercentage: 'Grasa corporal',
  BodyMass: 'Peso corporal',
  BodyMassGoal: 'Meta de peso corporal',
  BodyMassIndex: 'Índice de masa corporal',
  BodyMassLean: 'Masa corporal magra',
  BodyTemperature: 'Temperatura corporal',
  Covid19: 'Casos de Covid-19',
  DailyActivity: 'Actividad del día',
  DailyHeartRate: 'Zona de frecuencia cardíaca del día',
  Distance: 'Distancia',
  Dqv: 'Valor de calidad de la dieta',
  FeelingRating: 'Cómo se siente',
  ForcedExpiratoryVolume: 'Volumen espiratorio forzado',
  FluActivity: 'Actividad de la gripe',
  HbA1c: 'HbA1c',
  Height: 'Estatura',
  Hematocrit: 'Hematocrito',
  Hemoglobin: 'Hemoglobina',
  Medication: 'Medicación tomada',
  Mindfulness: 'Atención plena',
  OxygenSaturation: 'Saturación de oxígeno',
  PeakFlow: 'Flujo máximo',
  PeriodicPulse: 'Pulso periódico',
  PollenGrassIndex: 'Índice de polen de gramíneas',
  PollenRagweedIndex: 'Índice de polen de ambrosía',
  PollenTreeIndex: 'Índice de polen de árboles',
  PotassiumLevel: 'Nivel de potasio',
  Pulse: 'Pulso',
  SleepAnalysis: 'Sueño',
  Steps: 'Pasos',
  SkinTemperature: 'Temperatura de la piel',
  Vo2Max: 'Consumo máximo de oxígeno',
  WaistCircumference: 'Circunferencia de la cintura',
  WaterIntake: 'Consumo de agua',
}

/** Fields, values and names of ranges; English is the word itself, without dashes and capitals. */
const WORDS_ES: Record<string, string> = {
  value: 'valor',
  systolic: 'sistólica',
  diastolic: 'diastólica',
  context: 'contexto',
  calories: 'calorías',
  steps: 'pasos',
  distance: 'distancia',
  floors: 'pisos',
  sedentary: 'sedentario',
  'active low': 'activo ligero',
  'active medium': 'activo medio',
  'active high': 'activo intenso',
  'zone max': 'máximo de la zona',
  'zone minutes': 'minutos en la zona',
  name: 'nombre',
  unit: 'unidad',
  code: 'código',
  state: 'estado',
  fasting: 'en ayunas',
  'before meal': 'antes de comer',
  'after meal': 'después de comer',
  bedtime: 'al acostarse',
  unspecified: 'sin especificar',
  formal: 'formal',
  informal: 'informal',
  'in bed': 'en la cama',
  asleep: 'dormido',
  awake: 'despierto',
  'very low': 'muy bajo',
  low: 'bajo',
  normal: 'normal',
  'in range': 'en rango',
  elevated: 'elevado',
  'stage 1': 'etapa 1',
  'stage 2': 'etapa 2',
  prediabetes: 'prediabetes',
  high: 'alto',
  'very high': 'muy alto',
  crisis: 'crisis',
}

const UNITS_ES: Record<string, string> = {
  steps: 'pasos',
  index: 'índice',
  cases: 'casos',
  points: 'puntos',
  floors: 'pisos',
  bpm: 'lpm',
  'by unit': 'según la unidad',
}

function wordsIn(language: Language) {
  const word = (written: string): string => {
    const plain = written.replace(/[_-]/g, ' ').toLowerCase()
    return language === 'es' ? (WORDS_ES[plain] ?? plain) : plain
  }
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  const unit = (written: string | null): string =>
    language === 'es' ? (UNITS_ES[written ?? ''] ?? written ?? '') : (written ?? '')
  return {
    type: ({ name, meaning }: MetricType): string => (language === 'es' ? (TYPES_ES[name] ?? meaning) : meaning),
    field: ({ name }: MetricField): string => capital(word(name)),
    unit,
    /** One of an enumeration, or the name of a range. */
    word: (written: string): string => capital(word(written)),
  }
}

const known = { en: wordsIn('en'), es: wordsIn('es') }

export const metricWords = (language: Language) => known[language]
export const useMetricWords = () => metricWords(useLanguage())
