export const perPageChoices = [10, 25, 50, 100] as const

/** Says how a list can be filtered and sorted. The first sort is the default, in descending order. */
export type ListSpec = {
  /** The name of the filter in the address, and its values; '' means all. */
  filter: { name: string; values: readonly string[] }
  sorts: readonly string[]
}

export type ListState = {
  page: number
  perPage: number
  search: string
  filter: string
  sort: string
  order: 'asc' | 'desc'
}

const pageMax = 1_000_000

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9][0-9]{0,6}$/.test(text) ? Math.min(Number(text), pageMax) : null
}

function oneOf(value: string | null, values: readonly string[], fallback: string): string {
  return value !== null && values.includes(value) ? value : fallback
}

/** Reads the state of a list from its address. A wrong value becomes the default. */
export function readListState(params: URLSearchParams, spec: ListSpec): ListState {
  const perPage = wholeNumber(params.get('perPage'))
  return {
    page: wholeNumber(params.get('page')) ?? 1,
    perPage: perPageChoices.find((choice) => choice === perPage) ?? perPageChoices[0],
    search: (params.get('search') ?? '').trim().slice(0, 200),
    filter: oneOf(params.get(spec.filter.name), spec.filter.values, ''),
    sort: oneOf(params.get('sort'), spec.sorts, spec.sorts[0] ?? ''),
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
  }
}

/** Writes a state as parameters of the address, without the defaults. */
export function writeListState(state: ListState, spec: ListSpec): URLSearchParams {
  const params = new URLSearchParams()
  if (state.search !== '') params.set('search', state.search)
  if (state.filter !== '') params.set(spec.filter.name, state.filter)
  if (state.sort !== (spec.sorts[0] ?? '')) params.set('sort', state.sort)
  if (state.order !== 'desc') params.set('order', state.order)
  if (state.perPage !== perPageChoices[0]) params.set('perPage', String(state.perPage))
  if (state.page !== 1) params.set('page', String(state.page))
  return params
}

/** A change of the search, filter, order or page size returns to page 1. */
export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  return { ...state, page: 1, ...change }
}
