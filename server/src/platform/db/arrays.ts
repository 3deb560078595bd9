// Arrays of numbers between here and PostgreSQL, fast: thousands of numbers go in binary, and come back as text that
// JSON.parse can read.

const INT4 = 23
const FLOAT8 = 701

/** As a parameter of type `int4[]`. */
export const int4Array = (values: number[]): Buffer =>
  arrayOf(values, INT4, 4, (bytes, value, at) => bytes.writeInt32BE(value, at))

/** As a parameter of type `float8[]`. */
export const float8Array = (values: number[]): Buffer =>
  arrayOf(values, FLOAT8, 8, (bytes, value, at) => bytes.writeDoubleBE(value, at))

/** One dimension without nulls: a header of twenty bytes, then each element after its length. */
function arrayOf(
  values: number[],
  type: number,
  size: number,
  write: (bytes: Buffer, value: number, at: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(values.length === 0 ? 12 : 20 + values.length * (4 + size))
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeUInt32BE(type, 8)
  if (values.length === 0) return bytes
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = 20
  for (const value of values) {
    bytes.writeInt32BE(size, at)
    write(bytes, value, at + 4)
    at += 4 + size
  }
  return bytes
}

/** `{1,2,NaN}` as PostgreSQL prints it. */
export function numbersOf(text: string): number[] {
  const inner = text.slice(1, -1)
  if (inner === '') return []
  // NaN and Infinity are not JSON.
  return inner.includes('N') || inner.includes('I') ? inner.split(',').map(Number) : JSON.parse(`[${inner}]`)
}
