import { expect, test } from 'vitest'
import { ask, at, origin, simulate } from '../testing/ask.ts'
import { specIsThere, validateErrorAgainstSpec } from '../testing/spec.ts'
import { takeAttemptedWrites } from './attempted-writes.ts'

const simulator = simulate()

const cannotBeUnset =
  "You passed an empty string for 'customer'. We assume empty values are an attempt to unset a parameter; however " +
  "'customer' cannot be unset. You should remove 'customer' from your request or supply a non-empty value."
const notKnown =
  'Unrecognized request URL (GET: /v1/nonsense). If you are trying to list objects, remove the trailing slash. If you ' +
  'are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. Please see ' +
  'https://stripe.com/docs or we can help at https://support.stripe.com/.'

type Refused = [
  path: string,
  status: number,
  code: string | undefined,
  param: string | undefined,
  message: string,
]

/** Each refusal with Stripe's own words. */
const refused: readonly Refused[] = [
  ['/v1/invoices?color=red', 400, 'parameter_unknown', 'color', 'Received unknown parameter: color'],
  ['/v1/events?b=1&a=2', 400, 'parameter_unknown', 'b', 'Received unknown parameters: b, a'],
  [
    '/v1/invoices?created[after]=1',
    400,
    'parameter_unknown',
    'created[after]',
    'Received unknown parameter: created[after]',
  ],
  ['/v1/invoices/in_one?limit=1', 400, 'parameter_unknown', 'limit', 'Received unknown parameter: limit'],
  [
    '/v1/payment_methods?created[gte]=1',
    400,
    'parameter_unknown',
    'created',
    'Received unknown parameter: created',
  ],
  [
    '/v1/invoices?limit=101',
    400,
    'parameter_invalid_integer',
    'limit',
    "This value must be less than or equal to 100 (it currently is '101').",
  ],
  [
    '/v1/invoices?limit=0',
    400,
    'parameter_invalid_integer',
    'limit',
    'This value must be greater than or equal to 1.',
  ],
  ['/v1/invoices?created[gte]=NaN', 400, 'parameter_invalid_integer', 'created[gte]', 'Invalid integer: NaN'],
  ['/v1/invoices?customer=', 400, 'parameter_invalid_empty', 'customer', cannotBeUnset],
  ['/v1/invoices?customer=cus_none', 400, 'resource_missing', 'customer', "No such customer: 'cus_none'"],
  [
    '/v1/invoices?status=late',
    400,
    undefined,
    'status',
    'Invalid status: must be one of draft, open, paid, uncollectible, or void',
  ],
  ['/v1/invoices/in_none', 404, 'resource_missing', 'invoice', "No such invoice: 'in_none'"],
  ['/v1/payment_intents/pi_x', 404, 'resource_missing', 'intent', "No such payment_intent: 'pi_x'"],
  ['/v1/invoices/%zz', 404, 'resource_missing', 'invoice', "No such invoice: '%zz'"],
  ['/v1/subscriptions/sub_none', 404, 'resource_missing', 'id', "No such subscription: 'sub_none'"],
  [
    '/v1/subscription_items',
    400,
    'parameter_missing',
    'subscription',
    'Missing required param: subscription.',
  ],
  [
    '/v1/invoices?starting_after=in_none',
    400,
    'resource_missing',
    'starting_after',
    "No such invoice: 'in_none'",
  ],
  [
    '/v1/invoices/in_many/lines?starting_after=il_x',
    400,
    'resource_missing',
    'starting_after',
    "No such invoice item: 'il_x'",
  ],
  ['/v1/products?active=yes', 400, undefined, 'active', 'Invalid boolean: yes'],
  ['/v1/invoices?expand=data.customer', 400, undefined, 'expand', 'Invalid array'],
  [
    '/v1/invoices?starting_after=in_one&ending_before=in_one',
    400,
    undefined,
    undefined,
    'Received both starting_after and ending_before parameters. Please pass in only one.',
  ],
  ['/v1/nonsense', 404, undefined, undefined, notKnown],
]

test.each(refused)('%s', async (path, status, code, param, message) => {
  const answer = await ask(simulator, path)
  expect(answer.status).toBe(status)
  expect(at(answer.body, 'error')).toMatchObject({ type: 'invalid_request_error', message })
  expect([at(answer.body, 'error.code'), at(answer.body, 'error.param')]).toEqual([code, param])
  if (specIsThere) expect(validateErrorAgainstSpec(answer.body)).toEqual([])
})

test.each([
  [
    '2024-06-20',
    501,
    'The simulated Stripe API does not cover API version 2024-06-20; it speaks 2026-10-28.endive.',
  ],
  ['next', 400, 'Invalid Stripe API version: next'],
])('version %s', async (version, status, message) => {
  const headers = { authorization: 'Bearer sk_test_tributary_demo', 'stripe-version': version }
  const answer = await simulator.fetch(new Request(`${origin}/v1/customers`, { headers }))
  expect([answer.status, at(await answer.json(), 'error.message')]).toEqual([status, message])
})

test('a cursor that is still there but has left the filter is gone too', async () => {
  const stale = await ask(simulator, '/v1/subscriptions?starting_after=sub_ended')
  expect([stale.status, at(stale.body, 'error.code')]).toEqual([400, 'resource_missing'])
  const kept = await ask(simulator, '/v1/subscriptions?status=all&starting_after=sub_ended')
  expect(kept.status).toBe(200)
})

test('what the simulator cannot answer it says, instead of guessing', async () => {
  const answer = await ask(simulator, '/v1/events?delivery_success=true')
  expect([answer.status, answer.headers.get('x-simulated-fault')]).toEqual([501, 'not-simulated'])
})

test.each(['POST', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('%s is refused and kept as a write', async (method) => {
  const own = simulate()
  const response = await own.fetch(
    new Request(`${origin}/v1/customers/cus_one`, {
      method,
      headers: { authorization: 'Bearer sk_test_tributary_demo' },
    }),
  )
  expect([response.status, response.headers.get('x-simulated-fault')]).toEqual([405, 'read-only'])
  const write = { method, path: '/v1/customers/cus_one', status: 405 }
  expect(own.requests.writes).toEqual([write])
  // Otherwise this write would fail the file, as in every other test file.
  expect(takeAttemptedWrites()).toEqual([write])
})

test('answers carry a request id and the version', async () => {
  const own = simulate()
  const first = await ask(own, '/v1/account')
  const second = await ask(own, '/v1/nonsense')
  expect(first.headers.get('stripe-version')).toBe('2026-10-28.endive')
  expect(first.headers.get('request-id')).toMatch(/^req_[0-9a-z]{14}$/)
  expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
})
