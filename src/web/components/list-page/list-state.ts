export const perPageChoices = [10, 25, 50, 100] as const

/** What a list can be narrowed and ordered by. The first sort is the default one, descending. */
export type ListSpec = {
  /** Name of the filter in the address, and the values it takes; '' is all. */
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

/** The state of a list as its address tells it; what the address gets wrong falls back to the default. */
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

/** The address's parameters for a state; defaults are left out. */
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

/** A changed search, filter, order or page size begins at page 1 again. */
export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  return { ...state, page: 1, ...change }
}
