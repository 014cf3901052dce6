import { expect, test } from 'vitest'
import { ask, at, idsOf, listIds, simulate } from './testing/ask.ts'
import { smallWorld } from './testing/small-world.ts'
import { specIsThere, validateAgainstSpec } from './testing/spec.ts'
import { event } from './testing/stripe-objects.ts'
import type { SimulatedWorld } from './world/world.ts'

const small = smallWorld()
const now = Date.parse(small.as_of) / 1000

/** The small world, in which an account represents one customer, its invoice and a subscription. */
function withAccount(): SimulatedWorld {
  const acct = { customer_account: 'acct_two' }
  return {
    ...small,
    customers: small.customers.map((one) => (one.id === 'cus_two' ? { ...one, ...acct } : one)),
    subscriptions: small.subscriptions.map((one) => (one.id === 'sub_many' ? { ...one, ...acct } : one)),
    invoices: small.invoices.map((one) =>
      one.id === 'in_loose' ? { ...one, ...acct, customer: null } : one,
    ),
    events: ['customer.updated', 'customer.discount.created', 'invoice.paid'].map((type, index) =>
      event(`evt_${index}`, type, now - index),
    ),
  }
}

test('a customer goes by the id of the account that stands for it', async () => {
  const { body } = await ask(simulate({ world: withAccount() }), '/v1/customers/acct_two')
  expect(body).toMatchObject({ id: 'cus_two', customer_account: 'acct_two' })
})

test('lists are asked for by that account', async () => {
  const simulator = simulate({ world: withAccount() })
  expect(await listIds(simulator, '/v1/subscriptions?customer_account=acct_two')).toEqual(['sub_many'])
  expect(await listIds(simulator, '/v1/invoices?customer_account=acct_two')).toEqual(['in_loose'])
  expect(await listIds(simulator, '/v1/invoices?customer_account=acct_other')).toEqual([])
})

test('events of customers themselves are not told where an account stands for any', async () => {
  const types = async (world: SimulatedWorld) => {
    const { body } = await ask(simulate({ world }), '/v1/events')
    return idsOf(body).map((_, index) => at(body, `data.${index}.type`))
  }
  const { customers } = small
  expect(await types(withAccount())).toEqual(['customer.discount.created', 'invoice.paid'])
  expect(await types({ ...withAccount(), customers })).toContain('customer.updated')
})

test.skipIf(!specIsThere).each([
  ['/v1/customers/acct_two', '/v1/customers/{id}'],
  ['/v1/subscriptions?customer_account=acct_two', '/v1/subscriptions'],
  ['/v1/invoices/in_loose', '/v1/invoices/{id}'],
])('%s has the shape of Stripe’s document', async (path, specPath) => {
  const { body, status } = await ask(simulate({ world: withAccount() }), path)
  expect([status, validateAgainstSpec(specPath, body)]).toEqual([200, []])
})
