// What charts and signs say, apart from the texts of the screens: the home screen shows them too, and is loaded first.

import { messages } from '../../language/language.ts'

export const signs = messages(
  {
    severity: { label: 'Severity', critical: 'Critical', warning: 'Warning', info: 'Info' },
    state: { label: 'State', open: 'Open', acknowledged: 'Acknowledged', cleared: 'Cleared', all: 'All' },
    noReadings: 'No readings in this time.',
    chart: {
      table: 'The readings as a table',
      time: 'Time',
      value: 'Value',
      alert: 'Alert',
      threshold: (value: string) => `Threshold ${value}`,
      clears: (value: string) => `Clears at ${value}`,
      range: (from: string, to: string) => `Range ${from} to ${to}`,
      summary: (count: number, low: string, high: string) =>
        count === 1 ? `1 reading, ${low}` : `${count} readings from ${low} to ${high}`,
      newest: (count: number) => `The newest ${count} are shown.`,
    },
    perDay: {
      table: 'The days as a table',
      day: 'Day',
      alerts: 'Alerts',
      none: 'No alerts in this time.',
      summary: (total: number, days: number, most: number) =>
        `${total} alerts in ${days} days, at most ${most} on one day.`,
    },
  },
  {
    severity: { label: 'Gravedad', critical: 'Crítica', warning: 'Advertencia', info: 'Informativa' },
    state: { label: 'Estado', open: 'Abierta', acknowledged: 'Atendida', cleared: 'Resuelta', all: 'Todas' },
    noReadings: 'No hay lecturas en este tiempo.',
    chart: {
      table: 'Las lecturas como tabla',
      time: 'Momento',
      value: 'Valor',
      alert: 'Alerta',
      threshold: (value: string) => `Umbral ${value}`,
      clears: (value: string) => `Se resuelve en ${value}`,
      range: (from: string, to: string) => `Rango de ${from} a ${to}`,
      summary: (count: number, low: string, high: string) =>
        count === 1 ? `1 lectura, ${low}` : `${count} lecturas de ${low} a ${high}`,
      newest: (count: number) => `Se muestran las ${count} más recientes.`,
    },
    perDay: {
      table: 'Los días como tabla',
      day: 'Día',
      alerts: 'Alertas',
      none: 'No hay alertas en este tiempo.',
      summary: (total: number, days: number, most: number) =>
        `${total} alertas en ${days} días, como máximo ${most} en un día.`,
    },
  },
)
