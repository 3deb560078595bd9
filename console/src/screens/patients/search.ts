// What the address of the list holds: words, filters, order, page and columns. Everything is optional, and whatever
// cannot be read is left out, so that an old or mistyped link still shows a list.

import type { Almoner } from '@almoner/client'

type Input = Parameters<Almoner['listIndividuals']>[0]
type Filter = NonNullable<Input['filter']>
export type SortField = NonNullable<Input['sort']>[number]['field']

export const STATES = [
  'init',
  'confirmed',
  'registered',
  'force_reset_password',
  'disabled',
  'registered_disabled',
  'archived',
] as const
export const INVITES = ['none', 'sent', 'failed', 'accepted'] as const
export const PAGE_SIZES = [25, 50, 100, 200]
const PAGE_SIZE = 50

export interface PatientsSearch {
  text?: string | undefined
  /** Several, separated by commas. */
  state?: string | undefined
  invite?: string | undefined
  group?: string | undefined
  tag?: string | undefined
  bornFrom?: string | undefined
  bornTo?: string | undefined
  /** A field, with a leading - for descending. */
  sort?: string | undefined
  page?: number | undefined
  size?: number | undefined
  columns?: string | undefined
}

const text = (value: unknown): string | undefined => {
  const written = typeof value === 'number' ? String(value) : value
  return typeof written === 'string' && written.trim() ? written.slice(0, 255) : undefined
}
const pattern = (value: unknown, shape: RegExp) => (shape.test(text(value) ?? '') ? text(value) : undefined)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readSearch(given: Record<string, unknown>): PatientsSearch {
  const page = Number(given.page)
  return {
    text: text(given.text),
    state: listed(text(given.state), STATES).join(',') || undefined,
    invite: listed(text(given.invite), INVITES).join(',') || undefined,
    group: pattern(given.group, UUID),
    tag: pattern(given.tag, UUID),
    bornFrom: pattern(given.bornFrom, DAY),
    bornTo: pattern(given.bornTo, DAY),
    sort: pattern(given.sort, /^-?[a-zA-Z0-9]+$/),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    size: PAGE_SIZES.find((size) => size === Number(given.size) && size !== PAGE_SIZE),
    columns: pattern(given.columns, /^[a-zA-Z0-9,]+$/),
  }
}

export const listed = <T extends string>(value: string | undefined, allowed: readonly T[]): T[] =>
  allowed.filter((one) => value?.split(',').includes(one))

export const sizeOf = ({ size }: PatientsSearch): number => size ?? PAGE_SIZE
export const pageOf = ({ page }: PatientsSearch): number => page ?? 1

/** The question to the service. `sortable` are the fields that columns offer. */
export function inputOf(
  organizationId: string,
  search: PatientsSearch,
  fields: readonly SortField[],
  sortable: readonly SortField[],
): Input {
  const limit = sizeOf(search)
  const descending = search.sort?.startsWith('-') ?? false
  const field = sortable.find((one) => one === search.sort?.replace(/^-/, '')) ?? 'lastName'
  // Those of the same name stand in the order of their first names.
  const sort =
    field === 'lastName'
      ? [
          { field, descending },
          { field: 'firstName' as const, descending },
        ]
      : [{ field, descending }]
  return {
    organizationId,
    filter: filterOf(search),
    sort,
    fields: [...fields],
    page: { limit, offset: (pageOf(search) - 1) * limit },
  }
}

function filterOf({ text: words, state, invite, group, tag, bornFrom, bornTo }: PatientsSearch): Filter {
  return {
    ...(words ? { text: words } : {}),
    ...(state ? { state: listed(state, STATES) } : {}),
    ...(invite ? { registrationInvite: listed(invite, INVITES) } : {}),
    ...(group ? { individualGroupId: group } : {}),
    ...(tag ? { tagIds: [tag] } : {}),
    ...(bornFrom || bornTo
      ? { birthDate: { ...(bornFrom ? { gte: bornFrom } : {}), ...(bornTo ? { lte: bornTo } : {}) } }
      : {}),
  }
}

const FILTERS = ['state', 'invite', 'group', 'tag', 'bornFrom', 'bornTo'] as const
export const filterCount = (search: PatientsSearch): number =>
  FILTERS.filter((name) => search[name] !== undefined && !(name === 'bornTo' && search.bornFrom !== undefined)).length
export const withoutFilters = (search: PatientsSearch): PatientsSearch => ({
  sort: search.sort,
  size: search.size,
  columns: search.columns,
})
