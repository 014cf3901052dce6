import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'

const lists = [
  'customers',
  'products',
  'prices',
  'coupons',
  'subscriptions',
  'invoices',
  'invoice_payments',
  'inline_prices',
  'payment_methods',
  'payment_intents',
  'events',
  'test_clocks',
] as const

/**
 * The smallest account with every kind of object and answer: a hand-made one (deleted customer; archived, tiered and
 * inline prices; nested lists over ten; test clock) plus a few generated customers with a history.
 */
export function goldenWorld(customers = 6): SimulatedWorld {
  const made = smallWorld()
  const asOf = Date.parse(made.as_of) / 1000
  const lived = readWorld(generateWorld({ seed: 7, customers, months: 5, asOf }).world)
  const both = lists.map((list) => [list, [...(made[list] ?? []), ...(lived[list] ?? [])]])
  return readWorld({ ...made, ...Object.fromEntries(both) })
}
