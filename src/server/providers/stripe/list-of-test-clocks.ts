import type Stripe from 'stripe'
import type { PaymentsKind } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { type Listed, readNextPage } from './read-list.ts'
import { listRequests, pageMax } from './requests.ts'
import { isResourceMissing, permissionOf } from './to-provider-error.ts'

/**
 * The lists that leave out what is tied to a test clock unless they are asked for that clock's, and by which that is asked for:
 * the subscriptions of a clock all together.
 */
const listOfClock: Partial<Record<PaymentsKind, PaymentsKind>> = {
  subscriptions: 'subscriptions',
  current_subscriptions: 'subscriptions',
  customers: 'customers',
}

const clocksEndpoint = '/v1/test_helpers/test_clocks'

type Parts = { stripe: Stripe; call: CallStripe }

/**
 * Everything of a kind that is tied to a test clock, which only test mode has; nothing for other kinds, and where the key
 * may not read test clocks.
 */
export async function listOfTestClocks(kind: PaymentsKind, parts: Parts): Promise<Listed[]> {
  const own = listOfClock[kind]
  if (own === undefined) return []
  const { endpoint, object, list } = listRequests[own]
  const found: Listed[] = []
  for (const clock of await listClocks(parts)) {
    const ask = (params: { limit: number }) => list(parts.stripe, { ...params, test_clock: clock.id })
    // A clock that was deleted meanwhile took all that was tied to it with it.
    const tied = await listWhole({ endpoint, object, ask }, parts.call).catch((error: unknown) => {
      if (!isResourceMissing(error)) throw error
      return []
    })
    // As if it were expanded: the times of what is tied to it are its own.
    found.push(...tied.map((one) => ({ ...one, test_clock: clock })))
  }
  return found
}

async function listClocks({ stripe, call }: Parts): Promise<Listed[]> {
  const object = 'test_helpers.test_clock'
  const ask = (params: { limit: number }): Promise<unknown> => stripe.testHelpers.testClocks.list(params)
  return listWhole({ endpoint: clocksEndpoint, object, ask }, call).catch((error: unknown) => {
    if (permissionOf(error) === undefined) throw error
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
