import { customerSorts } from '#contract/customers/customers.ts'
import { transactionSorts } from '#contract/events.ts'
import { subscriptionSorts } from '#contract/subscriptions.ts'
import { segmentKinds } from '#domain/segment.ts'

/** A call of the mix: the kind that it is counted under, the stream that it belongs to, and its path with query. */
export type BenchCall = { kind: string; stream: 'plain' | 'filtered' | 'sums'; path: string }

type Add = (kind: string, path: string, query?: Record<string, string | number>) => void

const lists = { subscriptions: '/api/stripe/subscriptions', events: '/api/stripe/transactions' }
const pageSizes = [10, 25, 50, 100]

/** Typical searches: a name of one customer, a word of several, an address, a product, an id, a letter. */
const searches = [
  'Group 4321',
  '2b8a61594b',
  'b1c3',
  'billing@',
  'harbour 7',
  'cus_00',
  'example',
  'e',
  'no such thing',
]

/**
 * Every list, search and dashboard call in turn, with typical pages and sizes: mostly the first page, some next pages,
 * and the last one. `rows`: the lengths of the lists.
 */
export function callsOf(rows: { subscriptions: number; events: number }): BenchCall[] {
  const calls: BenchCall[] = []
  const add: Add = (kind, path, query = {}) => {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const stream = kind.endsWith('sums') ? 'sums' : kind.endsWith('by filters') ? 'filtered' : 'plain'
    calls.push({ kind, stream, path: `${path}?${text}` })
  }
  for (const noun of ['subscriptions', 'events'] as const) {
    for (const limit of pageSizes)
      for (const page of [1, 2, 5, Math.ceil(rows[noun] / limit)]) add(noun, lists[noun], { limit, page })
    for (const search of searches) add(`${noun}, search`, lists[noun], { limit: 10, page: 1, search })
    for (const search of searches.slice(0, 5))
      add(`${noun}, search`, lists[noun], { limit: 10, page: 2, search })
  }
  for (const sort of subscriptionSorts)
    for (const order of ['asc', 'desc'])
      for (const page of [1, 3])
        add('subscriptions, sorted', lists.subscriptions, { limit: 10, page, sort, order })
  for (const sort of transactionSorts)
    for (const order of ['asc', 'desc'])
      for (const query of [
        { page: 1 },
        { page: 3 },
        { page: 1, search: 'Group 4321' },
        { page: 1, search: 'e' },
      ])
        add('events, sorted', lists.events, { limit: 10, sort, order, ...query })
  for (const status of ['active', 'trialing', 'past_due', 'canceled', 'unpaid'])
    add('subscriptions, filtered', lists.subscriptions, { limit: 10, page: 1, status })
  for (const mrrStatus of ['New', 'Upgrade', 'Downgrade', 'Churn', 'Reactivation'])
    for (const page of [1, 4]) add('events, filtered', lists.events, { limit: 10, page, mrrStatus })
  add('events, filtered', lists.events, { limit: 10, page: 1, mrrStatus: 'Churn', search: '2b8a61594b' })
  add('subscriptions, filtered', lists.subscriptions, {
    limit: 10,
    page: 1,
    status: 'active',
    search: 'b1c3',
  })
  for (const sort of customerSorts)
    for (const order of ['asc', 'desc'])
      for (const page of [1, 3, Math.ceil(rows.subscriptions / 25)])
        add('customers', '/api/customers', { limit: 25, page, sort, order })
  for (const isMatched of ['true', 'false', 'ignored'])
    for (const page of [1, 4]) add('customers, filtered', '/api/customers', { limit: 25, page, isMatched })
  for (const search of searches) add('customers, search', '/api/customers', { limit: 10, page: 1, search })
  for (const query of [
    { mrrFrom: 50_000, isMatched: 'false' },
    { mrrTo: 0, sort: 'customerName' },
    { product: 'No such product' },
    { product: 'Harbour 7' },
    { product: 'Harbour 7', interval: '30', currency: 'eur' },
    { status: 'active' },
    { status: 'canceled' },
    { currency: 'usd', sort: 'firstPaidAt' },
    { status: 'canceled', mrrFrom: 1 },
    { status: 'active', isMatched: 'false', search: 'harbour' },
  ])
    for (const page of [1, 4]) add('customers, by filters', '/api/customers', { limit: 25, page, ...query })
  addFiltered(add)
  for (const state of ['pending', 'linked'])
    for (const page of [1, 2]) add('matches', '/api/matches', { limit: 10, page, state })
  add('matches', '/api/matches', { limit: 10, page: 1, state: 'linked', search: 'Group 4321' })
  for (let lap = 0; lap < 4; lap += 1) {
    for (const name of ['stats', 'recent-transactions', 'upcoming-renewals', 'mrr-trend'])
      add(`dashboard, ${name}`, `/api/dashboard/${name}`)
    add('snapshots', '/api/mrr/snapshots')
    add('movements', '/api/mrr/movements')
    add('movements', '/api/mrr/movements', { interval: 'quarter' })
    add('retention', '/api/mrr/retention')
    add('cohorts', '/api/mrr/cohorts')
    for (const by of segmentKinds) add(`segments, ${by}`, '/api/mrr/segments', { by })
    add('coverage', '/api/matches/coverage')
    add('sync history', '/api/sync/history', { page: 1 + lap, limit: 10 })
    add('sync status', '/api/sync/status')
  }
  return calls
}

/** Lists and their sums under filters: frequent and rare ones, several at once, and none that match. */
function addFiltered(add: Add): void {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const month = { from: day(60), to: day(30) }
  const firstPaid = (from: number, to: number) => ({
    firstPaidFrom: day(from).slice(0, 7),
    firstPaidTo: day(to).slice(0, 7),
  })
  const ofEvents: Record<string, string>[] = [
    month,
    { ...month, mrrStatus: 'Churn' },
    { product: 'Harbour 7' },
    { ...month, mrrStatus: 'Churn', product: 'Harbour 7,Harbour 8' },
    { currency: 'eur' },
    { currency: 'usd' },
    { interval: '365', mrrStatus: 'New,Upgrade' },
    { isMatched: 'false' },
    { interval: '30', isMatched: 'false' },
    { isInHubspot: 'false' },
    { isInHubspot: 'true' },
    { isFailing: 'true' },
    { isInHubspot: 'true', isFailing: 'false', isBehind: 'false' },
    { isBehind: 'true' },
    firstPaid(700, 700),
    firstPaid(720, 420),
    { changeFrom: '1' },
    { changeTo: '-10000' },
    { changeFrom: '100000', mrrStatus: 'New' },
    { ...month, mrrStatus: 'Downgrade', sort: 'mrrChange', order: 'asc' },
    { product: 'Harbour 7', sort: 'mrrChange' },
    { product: 'No such product' },
  ]
  const ofSubscriptions: Record<string, string>[] = [
    { status: 'active,trialing', product: 'Harbour 7' },
    { currency: 'eur', sort: 'currentMrr' },
    { interval: '365', sort: 'currentMrr' },
    { isMatched: 'false', status: 'past_due' },
    { isInHubspot: 'false' },
    { isFailing: 'true' },
    { isInHubspot: 'true', isFailing: 'false', isStale: 'false', isBehind: 'false' },
    { isBehind: 'true' },
    { ...firstPaid(700, 700), sort: 'currentMrr' },
    { ...firstPaid(720, 420), sort: 'companyName', order: 'asc' },
    { mrrFrom: '50000', isMatched: 'false' },
    { mrrFrom: '1', mrrTo: '10000', sort: 'companyName', order: 'asc' },
    { renewsWithinDays: '7', sort: 'nextRenewalDate', order: 'asc' },
    { ...month, currency: 'usd' },
    { product: 'No such product' },
  ]
  const ofCustomers: Record<string, string>[] = [
    {},
    { isMatched: 'false' },
    { isMatched: 'ignored' },
    firstPaid(700, 700),
    firstPaid(720, 420),
    { payingOn: day(30) },
    { mrrFrom: '50000', isMatched: 'false' },
    { mrrFrom: '1' },
    { product: 'Harbour 7' },
    { status: 'canceled' },
    { currency: 'usd', isMatched: 'true' },
    { search: 'billing@' },
  ]
  const sums = {
    events: '/api/stripe/transaction-sums',
    subscriptions: '/api/stripe/subscription-sums',
    customers: '/api/customer-sums',
  }
  const addAll = (noun: keyof typeof lists, queries: Record<string, string>[]) => {
    for (const { sort, order, ...query } of queries) {
      const sorted = { ...(sort === undefined ? {} : { sort }), ...(order === undefined ? {} : { order }) }
      for (const page of [1, 3])
        add(`${noun}, by filters`, lists[noun], { limit: 10, page, ...query, ...sorted })
      add(`${noun}, sums`, sums[noun], query)
    }
  }
  addAll('events', ofEvents)
  addAll('subscriptions', ofSubscriptions)
  for (const query of ofCustomers) add('customers, sums', sums.customers, query)
  for (const search of ['example', 'b1'])
    for (const noun of ['events', 'subscriptions', 'customers'] as const)
      add(`${noun}, sums`, sums[noun], { search })
  add('events, sums', sums.events)
  add('subscriptions, sums', sums.subscriptions)
}
