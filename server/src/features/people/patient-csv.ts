// Patients as CSV: reading a file that people made, and writing one that spreadsheets can open.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorEntry } from '@almoner/contract'
import {
  EXPORT_COLUMNS,
  IMPORT_LIMITS,
  PATIENT_COLUMNS,
  REQUIRED_COLUMNS,
} from '@almoner/contract/people/patient-files'
import { type CsvError, type Parser, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { Problem } from '../../platform/errors/problem.ts'

export interface CsvLine {
  /** Where it begins in the file, as an editor counts. */
  line: number
  cells: string[]
}

const SEPARATORS = [',', ';', '\t']
const PIECE_BYTES = 64 * 1024
const KNOWN: readonly string[] = [...PATIENT_COLUMNS, ...EXPORT_COLUMNS]
const LONGEST_NAME_SHOWN = 60
const MOST_FAULTS = 100

/** What a spreadsheet takes for the beginning of a formula, and what was protected from that before. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const PHONE_NUMBER = /^\+\d+$/

/** So that opening a file runs nothing of what people wrote into it. */
const protect = (cell: string): string => (FORMULA.test(cell) && !PHONE_NUMBER.test(cell) ? `'${cell}` : cell)

const clean = (cell: string): string => {
  const trimmed = cell.trim()
  return trimmed.startsWith("'") && FORMULA.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** Excel knows that a file is UTF-8 by the mark at its beginning. */
export const printCsv = (rows: string[][], { isBeginning }: { isBeginning: boolean }): string =>
  stringify(
    rows.map((row) => row.map(protect)),
    { bom: isBeginning, record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  )

/**
 * The columns of a file of patients and its lines; blank ones are passed over. Throws a Problem with everything that is
 * wrong with the header, or with what makes the rest unreadable.
 */
export async function readPatientCsv(csv: string): Promise<{ columns: string[]; lines: CsvLine[] }> {
  if (Buffer.byteLength(csv) > IMPORT_LIMITS.bytes)
    throw new Problem('InvalidValue', { pointer: '/data/attributes/csv', fault: 'must be at most 10 MiB in UTF-8' })
  let columns: string[] | null = null
  const lines: CsvLine[] = []
  for await (const some of piecesOf(csv)) {
    for (const { line, cells } of some) {
      const cleaned = cells.map(clean)
      if (cleaned.every((cell) => cell === '')) continue
      if (columns === null) columns = columnsOf(cleaned)
      else lines.push({ line, cells: cleaned })
    }
    if (lines.length > IMPORT_LIMITS.lines) throw new Problem('CsvTooManyLines', { limit: IMPORT_LIMITS.lines })
  }
  if (columns === null || lines.length === 0) throw new Problem('CsvEmpty')
  return { columns, lines }
}

/** A large file takes a second or two, and others are answered in between. */
async function* piecesOf(csv: string): AsyncGenerator<CsvLine[]> {
  let line = 1
  const found: CsvLine[] = []
  const parser = parse({
    delimiter: separatorOf(csv),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    bom: true,
    // Spaces around quotation marks are not worth a refusal.
    trim: true,
    on_record: (cells: string[]) => {
      found.push({ line, cells })
      line += 1 + cells.reduce((sum, cell) => sum + breaksIn(cell), 0)
      return null
    },
  })
  parser.on('error', () => {})
  parser.resume()
  const bytes = Buffer.from(csv)
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await written(parser, bytes.subarray(at, at + PIECE_BYTES))
      yield found.splice(0)
      await nextTurn()
    }
    await written(parser, null)
    yield found.splice(0)
  } catch (error) {
    const reason = REASONS[(error as CsvError).code]
    // What stands before it may be wrong too, and then that is the better thing to say.
    yield found.splice(0)
    throw reason ? new Problem('CsvMalformed', { line, reason }) : error
  } finally {
    parser.destroy()
  }
}

const REASONS: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark begins a cell there and none ends it',
  INVALID_OPENING_QUOTE:
    'a quotation mark stands inside a cell; put such a cell into quotation marks and double those in it',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark ends a cell and is followed by something else than a separator',
}

const written = (parser: Parser, piece: Buffer | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    if (piece) parser.write(piece, done)
    else parser.end(done as () => void)
  })

const breaksIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0

/** No name of a column holds a separator, so the one that is there most often separates. */
function separatorOf(csv: string): string {
  const [header = ''] = /[^\r\n]*\S[^\r\n]*/.exec(csv) ?? []
  const counts = SEPARATORS.map((separator) => header.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string
}

function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.toLowerCase().replace(/[\s_]+/g, '-'))
  if (!names.some((name) => KNOWN.includes(name)))
    throw new Problem('CsvWithoutHeader', { columns: [...PATIENT_COLUMNS] })
  const faults: ErrorEntry[] = []
  const refuse = (problem: Problem) => faults.push(...problem.entries)
  names.forEach((name, index) => {
    if (!KNOWN.includes(name)) {
      const column = name === '' ? `without a name, number ${index + 1}` : (header[index] ?? '')
      refuse(
        new Problem('CsvColumnUnknown', { column: column.slice(0, LONGEST_NAME_SHOWN), columns: [...PATIENT_COLUMNS] }),
      )
    } else if (names.indexOf(name) < index && names.indexOf(name, index + 1) < 0)
      refuse(new Problem('CsvColumnTwice', { column: name }))
  })
  for (const column of REQUIRED_COLUMNS)
    if (!names.includes(column)) refuse(new Problem('CsvColumnMissing', { column }))
  if (!names.includes('email') && !names.includes('mobile-phone'))
    refuse(new Problem('CsvColumnMissing', { column: 'email or mobile-phone' }))
  if (faults.length > MOST_FAULTS)
    faults.push(...new Problem('TooManyFaults', { count: faults.splice(MOST_FAULTS).length }).entries)
  if (faults.length > 0) throw Problem.of(faults)
  return names
}
