import { endpoints, type SimulatedEndpoint } from './lists/endpoints.ts'
import { type ListAnswer, listEmbedded, listObjects, nounOf } from './lists/list-answer.ts'
import { parseQuery, type Query, readList, readText } from './lists/query.ts'
import { type ExpansionPlan, planExpansion } from './objects/expansion.ts'
import { render } from './objects/render.ts'
import { noSuch, notSimulated, Refusal } from './requests/refusal.ts'
import type { AccountJson, SimulatedAccount } from './world/account.ts'
import { rowsOf } from './world/embedded.ts'

/** One request that the limiter allowed: its path and account, and the check of a restricted key. */
export type Ask = {
  readonly account: SimulatedAccount
  readonly search: URLSearchParams
  readonly id: string
  /** Refuses with 403 when the key may not read one of these kinds. */
  readonly require: (kinds: Iterable<string>) => void
}

export type Route = { readonly path: string; readonly answer: (ask: Ask) => AccountJson }

const paging = ['limit', 'starting_after', 'ending_before', 'expand']

/** Every GET that the simulated API answers. */
export const routes: readonly Route[] = [
  { path: '/v1/account', answer: retrieveAccount },
  { path: '/v1/subscription_items', answer: listItems },
  { path: '/v1/invoices/:id/lines', answer: listLines },
  ...endpoints.flatMap((endpoint): Route[] => [
    { path: endpoint.path, answer: (ask) => list(endpoint, ask) },
    { path: `${endpoint.path}/:id`, answer: (ask) => retrieve(endpoint, ask) },
  ]),
]

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`),
}))

/** The route of a path, with the id from it. */
export function findRoute(path: string): { route: Route; id: string } | undefined {
  for (const { pattern, route } of patterns) {
    const match = pattern.exec(path)
    if (match !== null) return { route, id: decoded(match[1] ?? '') }
  }
  return undefined
}

/** An id with an invalid encoding is used as it was sent, and not found. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function retrieveAccount(ask: Ask): AccountJson {
  parseQuery(ask.search, new Set(['expand']))
  ask.require(['account'])
  return ask.account.object
}

function list(endpoint: SimulatedEndpoint, ask: Ask): AccountJson {
  ask.require([endpoint.kind])
  const known = [...paging, ...Object.keys(endpoint.filters), ...endpoint.notSimulated]
  if (endpoint.createdWindow) known.push('created')
  const query = parseQuery(ask.search, new Set(known))
  refuseUncovered(query, endpoint.notSimulated, endpoint.path)
  const plan = expansionOf(query, endpoint.kind, true, ask)
  return listBody(listObjects(endpoint, query, ask.account), endpoint.path, endpoint.kind, plan, ask)
}

function retrieve(endpoint: SimulatedEndpoint, ask: Ask): AccountJson {
  ask.require([endpoint.kind])
  const uncovered = endpoint.notSimulatedOfOne ?? []
  const query = parseQuery(ask.search, new Set(['expand', ...uncovered]))
  refuseUncovered(query, uncovered, endpoint.path)
  const plan = expansionOf(query, endpoint.kind, false, ask)
  const object = ask.account.find(endpoint.kind, ask.id)
  if (object === undefined) throw noSuch(404, nounOf(endpoint.kind), ask.id, endpoint.idParam)
  if (object['deleted'] !== true) return render(object, endpoint.kind, plan.expansion, ask.account)
  // Only a deleted customer can still be retrieved (docs.stripe.com/api/customers/delete).
  if (endpoint.kind === 'customer') return object
  throw noSuch(404, nounOf(endpoint.kind), ask.id, endpoint.idParam)
}

function refuseUncovered(query: Query, names: readonly string[], path: string): void {
  const uncovered = names.find((name) => query.has(name))
  if (uncovered !== undefined) throw notSimulated(`the parameter ${uncovered} of ${path}`)
}

function listItems(ask: Ask): AccountJson {
  ask.require(['subscription_item'])
  const query = parseQuery(ask.search, new Set([...paging, 'subscription']))
  const parameter = query.get('subscription')
  if (parameter === undefined)
    throw new Refusal(400, 'Missing required param: subscription.', {
      code: 'parameter_missing',
      param: 'subscription',
    })
  const plan = expansionOf(query, 'subscription_item', true, ask)
  const id = readText(parameter)
  const subscription = ask.account.find('subscription', id)
  if (subscription === undefined) throw noSuch(400, 'subscription', id, 'subscription')
  const page = listEmbedded(rowsOf(subscription['items']), query, 'subscription_item')
  return listBody(page, '/v1/subscription_items', 'subscription_item', plan, ask)
}

function listLines(ask: Ask): AccountJson {
  ask.require(['line_item'])
  const query = parseQuery(ask.search, new Set(paging))
  const plan = expansionOf(query, 'line_item', true, ask)
  const invoice = ask.account.find('invoice', ask.id)
  if (invoice === undefined) throw noSuch(404, 'invoice', ask.id, 'invoice')
  const page = listEmbedded(rowsOf(invoice['lines']), query, 'invoice item')
  return listBody(page, `/v1/invoices/${ask.id}/lines`, 'line_item', plan, ask)
}

function expansionOf(query: Query, kind: string, isList: boolean, ask: Ask): ExpansionPlan {
  const plan = planExpansion(readList(query.get('expand')), kind, isList)
  ask.require(plan.kinds)
  return plan
}

function listBody(page: ListAnswer, url: string, kind: string, plan: ExpansionPlan, ask: Ask): AccountJson {
  const data = page.rows.map((row) => render(row, kind, plan.expansion, ask.account))
  return { object: 'list', data, has_more: page.hasMore, url }
}
