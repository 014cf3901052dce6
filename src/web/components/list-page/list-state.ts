import type { z } from 'zod'
import type { LeftOut } from '../address/left-out-note.tsx'
import { otherEndOf } from './filters/filter-field.ts'

export const perPageChoices = [10, 25, 50, 100] as const

/** Says how a list can be filtered and sorted. The first sort is the default, in descending order. */
export type ListSpec = {
  /** The filters by their names in the address, with what each accepts. */
  filters: Readonly<Record<string, z.ZodType>>
  sorts: readonly string[]
}

export type ListState = {
  page: number
  perPage: number
  search: string
  /** The filters that are set, as texts of the address; an absent one means all. */
  filters: Readonly<Record<string, string>>
  sort: string
  order: 'asc' | 'desc'
  /** The names of the shown columns, in order, as the address has them; '' means those shown at first. */
  columns: string
}

const pageMax = 1_000_000
const filterMax = 4_000

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9][0-9]{0,6}$/.test(text) ? Math.min(Number(text), pageMax) : null
}

function oneOf(value: string | null, values: readonly string[], fallback: string): string {
  return value !== null && values.includes(value) ? value : fallback
}

type PerPage = (typeof perPageChoices)[number]

/** The page size with this number of rows; the smallest where there is none. */
export function perPageOf(rows: number | null): PerPage {
  return perPageChoices.find((choice) => choice === rows) ?? perPageChoices[0]
}

/** Reads the state of a list from its address. A wrong value becomes the default; `usualRows` is that of the page size. */
export function readListState(
  params: URLSearchParams,
  spec: ListSpec,
  usualRows: PerPage = perPageChoices[0],
): ListState {
  // A filter whose text means all, such as 'all', is none.
  const filters = namedFilters(params, spec).filter(
    ([name, text]) => problemOf(params, spec, name) === null && spec.filters[name]?.parse(text) !== undefined,
  )
  return {
    page: wholeNumber(params.get('page')) ?? 1,
    perPage: perPageIn(params, usualRows),
    search: (params.get('search') ?? '').trim().slice(0, 200),
    filters: Object.fromEntries(filters),
    sort: oneOf(params.get('sort'), spec.sorts, spec.sorts[0] ?? ''),
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
    columns: (params.get('columns') ?? '').slice(0, 1_000),
  }
}

/** A link to a later page means the rows that its writer saw, and so the default size, unless it says another one. */
function perPageIn(params: URLSearchParams, usualRows: PerPage): PerPage {
  if (params.has('perPage')) return perPageOf(wholeNumber(params.get('perPage')))
  return (wholeNumber(params.get('page')) ?? 1) === 1 ? usualRows : perPageChoices[0]
}

/** What the list leaves out of the address, so that a person learns why it shows more, or in another order. */
export function leftOutOf(params: URLSearchParams, spec: ListSpec): LeftOut[] {
  const filters = namedFilters(params, spec).flatMap(([name, text]) => {
    const reason = problemOf(params, spec, name)
    if (reason !== null) return [{ name, text, reason, shown: 'The list is shown without this filter.' }]
    return params.getAll(name).length > 1 ? [{ name, text, ...repeated }] : []
  })
  const others = choices(spec).flatMap(({ name, values, ...words }) => {
    const text = params.get(name)
    return text === null || values.includes(text) ? [] : [{ name, text, ...words }]
  })
  return [...filters, ...others]
}

const repeated = { reason: 'is given more than once', shown: 'Only this one counts.' }

/** What the address may say beside filters. A wrong page is not among it: pages end anyway where the rows do. */
function choices({ sorts }: ListSpec): (Omit<LeftOut, 'text'> & { values: readonly string[] })[] {
  const shown = 'The usual order is shown.'
  return [
    { name: 'sort', values: sorts, reason: 'is not a column that sorts', shown },
    { name: 'order', values: ['asc', 'desc'], reason: 'must be asc or desc', shown },
    {
      name: 'perPage',
      values: perPageChoices.map(String),
      reason: `must be ${perPageChoices.join(' or ')}`,
      shown: `${perPageChoices[0]} rows are shown.`,
    },
  ]
}

function namedFilters(params: URLSearchParams, { filters }: ListSpec): [string, string][] {
  return Object.keys(filters).flatMap((name): [string, string][] => {
    const text = params.get(name) ?? ''
    return text === '' ? [] : [[name, text]]
  })
}

function problemOf(params: URLSearchParams, spec: ListSpec, name: string): string | null {
  const text = params.get(name) ?? ''
  const parsed = parse(spec, name, text)
  if (!parsed?.success)
    return text.length > filterMax ? 'is too long' : (parsed?.error.issues[0]?.message ?? 'is not known')
  const first = otherEndOf(name)
  const begin = first?.isFirst ? parse(spec, first.name, params.get(first.name) ?? '') : undefined
  const isBackwards = begin?.success && isText(begin.data) && isText(parsed.data) && parsed.data < begin.data
  return isBackwards ? `is before ${first?.name}=${begin.data}` : null
}

function parse({ filters }: ListSpec, name: string, text: string) {
  return text === '' || text.length > filterMax ? undefined : filters[name]?.safeParse(text)
}

/** Days and months compare as texts. Amounts are numbers, whose fields say themselves that none can match. */
const isText = (value: unknown) => typeof value === 'string'

/**
 * Writes a state as parameters of the address, without the defaults; `usualRows` is that of the page size. Parameters of other parts of the screen, such as
 * its date range, stay.
 */
export function writeListState(
  state: ListState,
  spec: ListSpec,
  others: URLSearchParams = new URLSearchParams(),
  usualRows: PerPage = perPageChoices[0],
): URLSearchParams {
  const params = new URLSearchParams()
  if (state.search !== '') params.set('search', state.search)
  for (const name of Object.keys(spec.filters)) {
    const text = state.filters[name] ?? ''
    if (text !== '') params.set(name, text)
  }
  if (state.sort !== (spec.sorts[0] ?? '')) params.set('sort', state.sort)
  if (state.order !== 'desc') params.set('order', state.order)
  const isUsual = state.page !== 1 || usualRows === perPageChoices[0]
  if (state.perPage !== perPageChoices[0] || !isUsual) params.set('perPage', String(state.perPage))
  if (state.columns !== '') params.set('columns', state.columns)
  if (state.page !== 1) params.set('page', String(state.page))
  const own = new Set(['search', 'sort', 'order', 'perPage', 'columns', 'page', ...Object.keys(spec.filters)])
  for (const [name, text] of others) if (!own.has(name)) params.set(name, text)
  return params
}

/** A change of the search, filters, order or page size returns to page 1. An empty text takes a filter away. */
export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  const filters = { ...state.filters, ...change.filters }
  const set = Object.entries(filters).filter(([, text]) => text !== '')
  return { ...state, page: 1, ...change, filters: Object.fromEntries(set) }
}

/** Whether the list shows only a part of its rows. */
export function isNarrowed({ search, filters }: ListState): boolean {
  return search !== '' || Object.keys(filters).length > 0
}

/** Says what to change of a list without rows; null where it has none at all. `isRanged`: of some days only. */
export function otherwiseText({ search, filters }: ListState, isRanged = false): string | null {
  const isFiltered = isRanged || Object.keys(filters).length > 0
  if (search === '') return isFiltered ? 'Change the filters.' : null
  return isFiltered ? 'Search for something else, or change the filters.' : 'Search for something else.'
}
