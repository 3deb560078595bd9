// What metrics, their states and their units are called: one name for each on every screen.

import type { Language } from './language.ts'

export type Names = Record<string, readonly [en: string, es: string]>

export const TYPES: Names = {
  ActiveEnergyBurned: ['Active energy burned', 'Energía activa consumida'],
  ActiveTime: ['Active time', 'Tiempo activo'],
  AerobicSteps: ['Aerobic steps', 'Pasos aeróbicos'],
  AirQualityIndex: ['Air quality index', 'Índice de calidad del aire'],
  Auscultation: ['Auscultation', 'Auscultación'],
  BloodGlucose: ['Blood glucose', 'Glucosa en sangre'],
  BloodPressure: ['Blood pressure', 'Presión arterial'],
  BodyFatPercentage: ['Body fat', 'Grasa corporal'],
  BodyMass: ['Body mass', 'Peso corporal'],
  BodyMassGoal: ['Body mass goal', 'Meta de peso corporal'],
  BodyMassIndex: ['Body mass index', 'Índice de masa corporal'],
  BodyMassLean: ['Lean body mass', 'Masa corporal magra'],
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
  Medication: ['Medication taken', 'Medicación tomada'],
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
  WaistCircumference: ['Waist circumference', 'Circunferencia de la cintura'],
  WaterIntake: ['Water intake', 'Consumo de agua'],
}

/** Of a reading, which is feminine in Spanish. */
export const STATES: Names = {
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
  'above-range': ['Above range', 'Por encima del rango'],
  'far-above-range': ['Far above range', 'Muy por encima del rango'],
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

export const nameIn = (names: Names, name: string, language: Language): string | undefined =>
  names[name]?.[language === 'en' ? 0 : 1]

export const unitIn = (unit: string, language: Language): string =>
  language === 'es' ? (UNITS_ES[unit] ?? unit) : unit
