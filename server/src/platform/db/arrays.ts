// Arrays of numbers between here and PostgreSQL, fast: thousands of numbers go in binary, and come back as text that
// JSON.parse can read.

const INT2 = 21
const INT4 = 23
const FLOAT8 = 701

/** One dimension without nulls: a header of twenty bytes, then each element after its length. */
function framed(count: number, type: number, size: number): { bytes: Buffer; view: DataView } {
  const bytes = Buffer.allocUnsafe(count === 0 ? 12 : 20 + count * (4 + size))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.setInt32(0, count === 0 ? 0 : 1)
  view.setInt32(4, 0)
  view.setUint32(8, type)
  if (count > 0) {
    view.setInt32(12, count)
    view.setInt32(16, 1)
  }
  return { bytes, view }
}

/** As a parameter of type `int2[]`. */
export function int2Array(values: number[]): Buffer {
  const { bytes, view } = framed(values.length, INT2, 2)
  for (let place = 0, at = 20; place < values.length; place++, at += 6) {
    view.setInt32(at, 2)
    view.setInt16(at + 4, values[place] as number)
  }
  return bytes
}

/** As a parameter of type `int4[]`. */
export function int4Array(values: number[]): Buffer {
  const { bytes, view } = framed(values.length, INT4, 4)
  for (let place = 0, at = 20; place < values.length; place++, at += 8) {
    view.setInt32(at, 4)
    view.setInt32(at + 4, values[place] as number)
  }
  return bytes
}

/** As a parameter of type `float8[]`. */
export function float8Array(values: ArrayLike<number>): Buffer {
  const { bytes, view } = framed(values.length, FLOAT8, 8)
  for (let place = 0, at = 20; place < values.length; place++, at += 12) {
    view.setInt32(at, 8)
    view.setFloat64(at + 4, values[place] as number)
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
