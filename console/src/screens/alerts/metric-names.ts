// What metrics, their fields and their states are called on this page, and values with their units.

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFormats } from '../../language/formats.ts'
import { type Language, useLanguage } from '../../language/language.ts'
import { type Names, nameIn, STATES, TYPES, unitIn } from '../../language/metric-vocabulary.ts'
import { ask } from '../../session/asking.ts'

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

/** An organization's own words stay as they are. */
const worded = (names: Names, name: string, language: Language): string => {
  const found = nameIn(names, name, language)
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
  return useMemo(() => {
    const types = data?.items ?? []
    const unitOf = (type: string, field: string | null): string =>
      unitIn(types.find(({ name }) => name === type)?.fields.find(({ name }) => name === field)?.unit ?? '', language)
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
      value: (type: string, field: string | null, value: number) =>
        withUnit(formats.number(value), unitOf(type, field)),
    }
  }, [data, formats, language])
}
