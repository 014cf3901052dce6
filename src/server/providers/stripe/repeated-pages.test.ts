import { expect, it } from 'vitest'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { event, listOf } from '#simulators/stripe/testing/stripe-objects.ts'
import type { StripeObject } from '#simulators/stripe/world.ts'
import { sendBy } from '../testing/send-by.ts'
import { createStripePayments } from './create-stripe-payments.ts'

const numbers = Array.from({ length: 250 }, (_, index) => index)
const begun = smallWorld()
const newest = Date.parse(begun.as_of) / 1000 - 60

/** An account of more than two pages of lines in one invoice and of events, some pages of which are given twice. */
async function stage(pathPrefix: string, nth: number, times: number | null) {
  const lines = listOf(
    '/v1/invoices/in_many/lines',
    numbers.map((number) => line(`il_${number}`)),
  )
  const events = numbers.map((number) => ({
    ...event(`evt_${number}`, 'invoice.paid', newest - number),
    data: { object: { id: `in_${number}`, object: 'invoice', created: newest - number } },
  }))
  const invoices = begun.invoices.map((one) => (one.id === 'in_many' ? { ...one, lines } : one))
  const simulator = simulate({ world: { ...begun, invoices, events: events as StripeObject[] } })
  const body = { kind: 'repeat_page', match: { pathPrefix, nth, times } }
  const armed = await simulator.fetch(
    new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(body) }),
  )
  expect(armed.status).toBe(201)
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: sendBy((request) => simulator.fetch(request)),
    now: () => new Date(0),
    sleep: async () => {},
    paces: null,
  })
  return payments.open('sk_test_tributary_demo', { organizationId: 1 })
}

it('takes no repeated page of lines for the end of them', async () => {
  const reader = await stage('/v1/invoices/in_many/lines', 2, 1)
  expect((await reader.fetchObject('invoices', 'in_many'))?.lines).toHaveLength(numbers.length)
})

it('takes no repeated page of events for the end of them', async () => {
  // The list of the other types is asked for before.
  const reader = await stage('/v1/events', 3, 1)
  const { objects } = await reader.listChanges(newest - numbers.length, new Set())
  expect(objects).toHaveLength(numbers.length)
})

it('says that pages repeat over and over', async () => {
  const reader = await stage('/v1/invoices/in_many/lines', 2, null)
  await expect(reader.fetchObject('invoices', 'in_many')).rejects.toThrow(
    'a page of a list that it had given before',
  )
})
