// How far someone came with their account, and when: everything in the order in which it can have happened.

import type { AnswerOf } from '@almoner/contract'
import type { getUser } from '@almoner/contract/identity/users'
import { type Random, Weighted } from './random.ts'

type User = AnswerOf<typeof getUser>
export type State = User['state']

export interface Account {
  state: State
  registrationInvite: User['registrationInvite']
  emailVerified: boolean
  phoneVerified: boolean
  registeredAt: Date | null
  lastLoginAt: Date | null
  lastActivityAt: Date | null
}

export interface Circumstances {
  createdAt: Date
  until: Date
  hasEmail: boolean
  hasPhone: boolean
}

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const STATES = new Weighted<State>([
  ['registered', 55],
  ['init', 25],
  ['confirmed', 8],
  ['archived', 5],
  ['disabled', 4],
  ['registered_disabled', 2],
  ['force_reset_password', 1],
])
/** What those who were archived had been before, and those who were disabled before they registered. */
const BEFORE_ARCHIVING = new Weighted<State>([
  ['registered', 55],
  ['init', 35],
  ['confirmed', 10],
])
const BEFORE_DISABLING = new Weighted<State>([
  ['init', 75],
  ['confirmed', 25],
])
const INVITES = new Weighted<User['registrationInvite']>([
  ['sent', 62],
  ['none', 30],
  ['failed', 8],
])

export function patientAccount(random: Random, circumstances: Circumstances): Account {
  const state = STATES.pick(random)
  switch (state) {
    case 'archived':
      return { ...reached(random, BEFORE_ARCHIVING.pick(random), circumstances, false), state }
    case 'disabled':
      return { ...reached(random, BEFORE_DISABLING.pick(random), circumstances, false), state }
    case 'registered_disabled':
      return { ...reached(random, 'registered', circumstances, false), state }
    case 'force_reset_password':
      return { ...reached(random, 'registered', circumstances, true), state }
    default:
      return reached(random, state, circumstances, true)
  }
}

export const registeredAccount = (random: Random, circumstances: Circumstances): Account =>
  reached(random, 'registered', circumstances, true)

function reached(random: Random, state: State, circumstances: Circumstances, isInTouch: boolean): Account {
  const invite = INVITES.pick(random)
  if (state === 'init') return { ...UNTOUCHED, registrationInvite: invite }
  const verified = verifiedBy(random, circumstances)
  if (state === 'confirmed') return { ...UNTOUCHED, ...verified, state, registrationInvite: 'sent' }
  const registeredAt = registration(random, circumstances)
  return {
    state,
    registrationInvite: 'accepted',
    ...verified,
    registeredAt,
    ...lastSeen(random, registeredAt, circumstances.until, isInTouch),
  }
}

const UNTOUCHED: Account = {
  state: 'init',
  registrationInvite: 'none',
  emailVerified: false,
  phoneVerified: false,
  registeredAt: null,
  lastLoginAt: null,
  lastActivityAt: null,
}

/** By the way the invitation came; some show later that they hold the other one as well. */
function verifiedBy(random: Random, { hasEmail, hasPhone }: Circumstances) {
  const cameByMail = hasEmail && (!hasPhone || random.chance(0.8))
  const showedOther = random.chance(0.35)
  return {
    emailVerified: cameByMail || (hasEmail && showedOther),
    phoneVerified: hasPhone && (!cameByMail || showedOther),
  }
}

/** Most follow an invitation within days, the last after two months. */
function registration(random: Random, { createdAt, until }: Circumstances): Date {
  const most = Math.min(60 * DAY_MS, (until.getTime() - createdAt.getTime()) * 0.9)
  return wholeSecond(createdAt.getTime() + random.fraction() ** 4 * most, createdAt)
}

/** Most were here within two weeks, some long ago, and a few only to register. */
function lastSeen(random: Random, registeredAt: Date, until: Date, isInTouch: boolean) {
  const habit = random.fraction()
  const [least, most] = !isInTouch ? [60, 700] : habit < 0.7 ? [0, 14] : habit < 0.9 ? [14, 90] : [90, 800]
  const daysAgo = least + random.fraction() ** 2 * (most - least)
  const lastLoginAt = wholeSecond(until.getTime() - daysAgo * DAY_MS - HOUR_MS, registeredAt)
  const stayed = random.fraction() ** 3 * 3 * DAY_MS
  const lastActivityAt = wholeSecond(Math.min(lastLoginAt.getTime() + stayed, until.getTime() - 1000), lastLoginAt)
  return { lastLoginAt, lastActivityAt }
}

const wholeSecond = (time: number, notBefore: Date): Date =>
  new Date(Math.max(Math.floor(time / 1000) * 1000, notBefore.getTime()))
