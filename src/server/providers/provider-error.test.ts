import { expect, it } from 'vitest'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { sendBy } from '#test/providers/send-by.ts'
import { errorOf, unanswered } from './hubspot/hubspot-error.ts'
import { createStripePayments } from './stripe/create-stripe-payments.ts'

it.each([
  ['reset', {}, false],
  ['html', {}, false],
  ['status', { status: 500 }, false],
  ['status', { status: 409 }, true],
  ['rate_limit', {}, true],
])('a request to Stripe that met %s %o was answered: %s', async (kind, more, expected) => {
  const simulator = simulate()
  const body = JSON.stringify({ kind, match: { pathPrefix: '/v1/customers', times: 1 }, ...more })
  await simulator.fetch(new Request('http://stripe.test/_faults', { method: 'POST', body }))
  const heard: boolean[] = []
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: sendBy((request) => simulator.fetch(request)),
    now: () => new Date(0),
    sleep: async () => {},
    paces: null,
  })
  const reader = payments.open('sk_test_tributary_demo', {
    organizationId: 1,
    onHeard: (isAnswered) => heard.push(isAnswered),
  })
  await reader.listPage('customers', { after: null })
  expect(heard.slice(0, 2)).toEqual([expected, true])
})

const asked = { method: 'GET', path: '/account-info' }
const ofStatus = (status: number) =>
  errorOf({ status, answer: {}, isHubspots: true, retryAfterMs: undefined }, asked)

it.each([
  ['no answer', false, unanswered(asked)],
  ['an error of HubSpot itself', false, ofStatus(503)],
  ['a lock', true, ofStatus(423)],
  ['a move of the account', true, ofStatus(477)],
  ['a pause', true, ofStatus(429)],
  ['a refusal', true, ofStatus(400)],
])('a request to HubSpot that met %s was answered: %s', (_, expected, error) => {
  expect(error.isAnswered).toBe(expected)
})
