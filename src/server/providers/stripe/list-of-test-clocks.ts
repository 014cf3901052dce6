import type Stripe from 'stripe'
import type { PaymentsKind } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { type Listed, readNextPage } from './read-list.ts'
import { listRequests, pageMax } from './requests.ts'
import { isPermissionMissing, isResourceMissing } from './to-provider-error.ts'

/**
 * Lists that contain objects of a test clock only on request for that clock, and the parameter for it.
 * Subscriptions of a clock are read together.
 */
const listOfClock: Partial<Record<PaymentsKind, PaymentsKind>> = {
  subscriptions: 'subscriptions',
  current_subscriptions: 'subscriptions',
  customers: 'customers',
}

const clocksEndpoint = '/v1/test_helpers/test_clocks'

type Parts = { stripe: Stripe; call: CallStripe }

/**
 * All objects of a kind that belong to test clocks, which exist only in test mode. Empty for other kinds, and when
 * the key may not read test clocks.
 */
export async function listOfTestClocks(kind: PaymentsKind, parts: Parts): Promise<Listed[]> {
  const own = listOfClock[kind]
  if (own === undefined) return []
  const { endpoint, object, list } = listRequests[own]
  const found: Listed[] = []
  for (const clock of await listClocks(parts)) {
    const ask = (params: { limit: number }) => list(parts.stripe, { ...params, test_clock: clock.id })
    // A test clock that was deleted meanwhile has deleted its objects too.
    const tied = await listWhole({ endpoint, object, ask }, parts.call).catch((error: unknown) => {
      if (!isResourceMissing(error)) throw error
      return []
    })
    // Adds the expanded clock, because the times of its objects are those of the clock.
    found.push(...tied.map((one) => ({ ...one, test_clock: clock })))
  }
  return found
}

async function listClocks({ stripe, call }: Parts): Promise<Listed[]> {
  const object = 'test_helpers.test_clock'
  const ask = (params: { limit: number }): Promise<unknown> => stripe.testHelpers.testClocks.list(params)
  return listWhole({ endpoint: clocksEndpoint, object, ask }, call).catch((error: unknown) => {
    if (!isPermissionMissing(error)) throw error
    return []
  })
}

type WholeList = {
  endpoint: string
  object: string
  ask: (params: { limit: number; starting_after?: string }) => Promise<unknown>
}

async function listWhole({ endpoint, object, ask }: WholeList, call: CallStripe): Promise<Listed[]> {
  const found = new Map<string, Listed>()
  for (let after: string | undefined; ; ) {
    const params = { limit: pageMax, ...(after !== undefined && { starting_after: after }) }
    const page = await call(endpoint, 'the test clocks', () =>
      ask(params).then((answer) => readNextPage(answer, object, after, found)),
    )
    for (const entry of page.objects) found.set(entry.id, entry)
    after = page.objects.at(-1)?.id
    if (!page.hasMore) return [...found.values()]
  }
}
