import { expect, test } from 'vitest'
import { ask, at, idsOf, simulate } from './testing/ask.ts'
import { invoice, subscription } from './testing/billing-objects.ts'
import { smallWorld } from './testing/small-world.ts'
import { worldStart } from './testing/stripe-objects.ts'
import type { StripeObject } from './world/world.ts'

const count = 100_000
const looked = { rows: 0 }

/** An object that counts how often its `created` is read. */
function counted(one: StripeObject, created: number): StripeObject {
  return Object.defineProperty({ ...one }, 'created', {
    enumerable: true,
    get: () => {
      looked.rows += 1
      return created
    },
  })
}

const oneSubscription = subscription('sub_x')
const oneInvoice = invoice('in_x')
const simulator = simulate({
  world: {
    ...smallWorld(),
    subscriptions: Array.from({ length: count }, (_, index) =>
      counted({ ...oneSubscription, id: `sub_${index}` }, worldStart - count * 30 + index * 30),
    ),
    invoices: Array.from({ length: count }, (_, index) =>
      counted({ ...oneInvoice, id: `in_${index}` }, worldStart - count * 30 + index * 30),
    ),
  },
})

async function lookedAt(path: string): Promise<number> {
  looked.rows = 0
  expect((await ask(simulator, path)).status).toBe(200)
  return looked.rows
}

test('100,000 subscriptions and invoices are sorted once, and a page looks at little more than itself', async () => {
  const from = worldStart - 50_000 * 30
  const window = `created[gte]=${from}&created[lt]=${from + 20_000 * 30}`
  for (const list of ['/v1/subscriptions?status=all', '/v1/invoices?status=paid']) {
    // The first request sorts.
    await lookedAt(`${list}&limit=1`)
    expect(await lookedAt(`${list}&limit=100`)).toBeLessThan(1_000)
    expect(await lookedAt(`${list}&limit=100&${window}`)).toBeLessThan(1_000)
  }
  const { body } = await ask(simulator, `/v1/invoices?limit=3&${window}&starting_after=in_60000`)
  expect([idsOf(body), at(body, 'has_more')]).toEqual([['in_59999', 'in_59998', 'in_59997'], true])
  expect(await lookedAt(`/v1/invoices?limit=100&${window}&starting_after=in_60000`)).toBeLessThan(1_000)
})
