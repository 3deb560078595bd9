// Chance that can be had again: the same words give the same numbers, on every machine and whatever else is drawn.

import { v7 } from 'uuid'

const RANGE = 2 ** 32

/** The finalizer of MurmurHash3: every bit of the word changes about half of the result's. */
function mix(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by))

/** xoshiro128** of Blackman and Vigna. */
export class Random {
  readonly #state: [number, number, number, number]

  /** Each sequence of words, such as a seed, a purpose and an index, has numbers of its own. */
  constructor(...words: number[]) {
    // Four hashes of the words: one alone would give two of some hundred thousand people the same numbers.
    const hash = (start: number) => words.reduce((sum, word) => mix((sum + 0x9e3779b9) ^ mix(word ^ start)), start)
    // The last is made odd: a state of nothing but zeros would stay so.
    this.#state = [hash(0x243f6a88), hash(0x85a308d3), hash(0x13198a2e), hash(0x03707344) | 1]
  }

  /** A whole number from 0 to 2³² − 1. */
  next(): number {
    const state = this.#state
    const result = Math.imul(rotated(Math.imul(state[1], 5), 7), 9)
    const shifted = state[1] << 9
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 11)
    return result >>> 0
  }

  /** From 0 to less than 1. */
  fraction(): number {
    return this.next() / RANGE
  }

  /** A whole number from 0 to less than the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** About a normal distribution: a sum of four draws, which needs no function that machines compute differently. */
  bell(mean: number, deviation: number): number {
    const sum = this.fraction() + this.fraction() + this.fraction() + this.fraction()
    return mean + deviation * (sum - 2) * Math.sqrt(3)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** An id of that moment. */
  uuid(moment: Date): string {
    const random = new Uint8Array(Uint32Array.of(this.next(), this.next(), this.next(), this.next()).buffer)
    return v7({ msecs: moment.getTime(), random })
  }
}

/** Values of which some come up more often than others. */
export class Weighted<T> {
  readonly #values: T[]
  /** The sum of the weights up to each value, itself included. */
  readonly #sums: number[] = []

  constructor(entries: Iterable<readonly [T, number]>) {
    this.#values = []
    let sum = 0
    for (const [value, weight] of entries) {
      sum += weight
      this.#values.push(value)
      this.#sums.push(sum)
    }
  }

  /** One of the first `among`, or of all. */
  pick(random: Random, among = this.#values.length): T {
    const point = random.fraction() * (this.#sums[among - 1] ?? 0)
    let [low, high] = [0, among - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sums[middle] as number) > point) high = middle
      else low = middle + 1
    }
    return this.#values[low] as T
  }
}
