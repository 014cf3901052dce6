import { expect, test } from 'vitest'
import { origin, simulate } from '../testing/ask.ts'
import { smallWorld } from '../testing/small-world.ts'
import { customer } from '../testing/stripe-objects.ts'

const hostile = customer('cus_odd', { name: '<script>alert("x")</script>' })
const world = smallWorld()
const simulator = simulate({ world: { ...world, customers: [...world.customers, hostile] } })

async function read(path: string) {
  const response = await simulator.fetch(new Request(origin + path))
  return { status: response.status, text: await response.text() }
}

test.each([
  ['/acct_1Small/test/subscriptions/sub_one', 200],
  ['/test/customers/cus_one', 200],
  ['/invoices/in_one', 200],
  ['/acct_1Small/test/customers/cus_gone', 200],
  ['/acct_1Other/test/subscriptions/sub_one', 404],
  ['/acct_1Small/test/subscriptions/sub_none', 404],
])('%s gives %i, marked as simulated', async (path, status) => {
  const page = await read(path)
  expect(page.status).toBe(status)
  expect(page.text).toContain('simulated Stripe account')
})

test('pages link to each other and escape what they show', async () => {
  const subscription = await read('/acct_1Small/test/subscriptions/sub_one')
  expect(subscription.text).toContain('href="/acct_1Small/test/customers/cus_one"')
  const odd = await read('/acct_1Small/test/customers/cus_odd')
  expect(odd.text).toContain('&lt;script&gt;')
  expect(odd.text).not.toContain('<script')
})

test('the front page counts what the account holds', async () => {
  const front = await read('/')
  expect(front.text).toContain('<th>subscription</th><td>6</td>')
})
