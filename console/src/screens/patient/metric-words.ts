// What metrics, their fields and values are called. The service says the names of types in English; what is not known
// here is shown as it is written there.

import { type Language, useLanguage } from '../../language/language.ts'
import { nameIn, STATES, TYPES, unitIn } from '../../language/metric-vocabulary.ts'
import type { MetricField, MetricType } from './metric-types.ts'

/** Fields and values; English is the word itself, without dashes and capitals. */
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
}

function wordsIn(language: Language) {
  const word = (written: string): string => {
    const plain = written.replace(/[_-]/g, ' ').toLowerCase()
    return language === 'es' ? (WORDS_ES[plain] ?? plain) : plain
  }
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  return {
    type: ({ name, meaning }: MetricType): string =>
      language === 'es' ? (nameIn(TYPES, name, language) ?? meaning) : meaning,
    field: ({ name }: MetricField): string => capital(word(name)),
    unit: (written: string | null): string => unitIn(written ?? '', language),
    /** One of an enumeration, or the name of a range. */
    word: (written: string): string => nameIn(STATES, written, language) ?? capital(word(written)),
  }
}

const known = { en: wordsIn('en'), es: wordsIn('es') }

export const metricWords = (language: Language) => known[language]
export const useMetricWords = () => metricWords(useLanguage())
