// Requests that push points: a day's pulse by the minute of someone, and one reading.

export const POINTS_A_REQUEST = 1000
const MINUTE_MS = 60_000
const START = Date.parse('2026-01-01T00:00:00Z')

const printed = (moment: number) => new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Pulse with a rhythm and noise, the same for the same number. */
const pulse = (minute: number): number =>
  Math.round(68 + 10 * Math.sin(minute / 230) + 6 * Math.sin(minute / 7.3) + ((minute * 2654435761) % 9))

const PLACE = '00000000-0000-0000-0000-000000000000'

/** When the first point was, and how long after each the next. */
interface Clock {
  start: number
  stepMs: number
}

/** The same points for everyone: only the id is put in. */
function template(batch: number, { start, stepMs }: Clock): [Buffer, Buffer] {
  const data = Array.from({ length: POINTS_A_REQUEST }, (_, place) => {
    const count = batch * POINTS_A_REQUEST + place
    return { type: 'Pulse', time: printed(start + count * stepMs), value: pulse(count) }
  })
  const body = JSON.stringify({
    data: [{ type: 'time-series', attributes: { 'individual-id': PLACE, type: 'Pulse', source: 'watch', data } }],
  })
  const [before, after] = body.split(PLACE) as [string, string]
  return [Buffer.from(before), Buffer.from(after)]
}

/** One request after the other, none twice: all people, batch by batch. */
export function batches(
  individualIds: string[],
  firstBatch = 0,
  clock: Clock = { start: START, stepMs: MINUTE_MS },
): () => Buffer {
  let [batch, person] = [firstBatch, 0]
  let current = template(batch, clock)
  return () => {
    if (person === individualIds.length) {
      person = 0
      current = template(++batch, clock)
    }
    return Buffer.concat([current[0], Buffer.from(individualIds[person++] as string), current[1]])
  }
}

/** One point after the other of many people, each newer than the last. */
export function singles(individualIds: string[]): () => Buffer {
  let count = 0
  const begin = Date.parse('2030-01-01T00:00:00Z')
  return () => {
    const id = individualIds[count % individualIds.length]
    const time = printed(begin + Math.floor(count++ / individualIds.length) * MINUTE_MS)
    return Buffer.from(
      `{"data":[{"type":"time-series","attributes":{"individual-id":"${id}","type":"Pulse","source":"watch","data":[{"type":"Pulse","time":"${time}","value":${pulse(count)}}]}}]}`,
    )
  }
}

/** The rows that one request holds, as COPY takes them. */
export function copyRows(individualId: string, batch: number): string {
  let rows = ''
  for (let place = 0; place < POINTS_A_REQUEST; place++) {
    const minute = batch * POINTS_A_REQUEST + place
    rows += `${individualId}\tPulse\t${printed(START + minute * MINUTE_MS)}+00\twatch\t${pulse(minute)}\n`
  }
  return rows
}

/** The same points in the line protocol of time-series databases. */
export function lines(individualIds: string[]): () => Buffer {
  let [batch, person] = [0, 0]
  let ends = lineEnds(batch)
  return () => {
    if (person === individualIds.length) {
      person = 0
      ends = lineEnds(++batch)
    }
    const start = `Pulse,individual=${individualIds[person++]},source=watch value=`
    return Buffer.from(start + ends.join(start))
  }
}

const lineEnds = (batch: number): string[] =>
  Array.from({ length: POINTS_A_REQUEST }, (_, place) => {
    const minute = batch * POINTS_A_REQUEST + place
    return `${pulse(minute)} ${(START + minute * MINUTE_MS) / 1000}\n`
  })
