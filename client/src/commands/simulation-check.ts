// Reads back what devices were told that it was taken.

import type { CallOf } from '@almoner/contract'
import type { readTimeseries } from '@almoner/contract/metrics/timeseries'
import type { Almoner } from '../index.ts'
import type { Measured } from './device-kinds.ts'

interface Device {
  settings: { individualId: string; source: string }
  taken: Measured[]
}

const PAGE = 1000

/** The points that the service does not have, or has otherwise. */
export async function missingPoints(almoner: Almoner, { settings, taken }: Device): Promise<Measured[]> {
  const missing: Measured[] = []
  for (const [type, points] of Map.groupBy(taken, (point) => point.type)) {
    const times = points.map(({ time }) => time).sort()
    const moment = (time: string | undefined) => new Date(`${time?.replace(' ', 'T')}Z`)
    const found = new Map<unknown, Record<string, unknown>>()
    const asked = {
      individualId: settings.individualId,
      type: type as CallOf<typeof readTimeseries>['type'],
      beginDatetime: moment(times[0]),
      endDatetime: moment(times.at(-1)),
      filter: { source: settings.source },
      page: { limit: PAGE },
    }
    for await (const point of almoner.readTimeseries.each(asked)) {
      const said = point as Record<string, unknown>
      found.set(said.time, said)
    }
    const isThere = (point: Measured) => {
      const said = found.get(point.time)
      return said !== undefined && Object.entries(point).every(([name, value]) => said[name] === value)
    }
    missing.push(...points.filter((point) => !isThere(point)))
  }
  return missing
}
