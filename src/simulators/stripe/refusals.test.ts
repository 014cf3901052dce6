import { expect, test } from 'vitest'
import { ask, at, ORIGIN, simulate } from './testing/ask.ts'

const simulator = simulate()

test.each([
  ['/v1/invoices?color=red', 400, 'parameter_unknown', 'color', 'Received unknown parameter: color'],
  ['/v1/invoices?created[after]=1', 400, 'parameter_unknown', 'created[after]', 'created[after]'],
  ['/v1/invoices/in_one?limit=1', 400, 'parameter_unknown', 'limit', 'limit'],
  ['/v1/invoices?limit=101', 400, 'parameter_invalid_integer', 'limit', 'less than or equal to 100'],
  ['/v1/invoices?limit=0', 400, 'parameter_invalid_integer', 'limit', 'greater than or equal to 1'],
  ['/v1/invoices?created[gte]=NaN', 400, 'parameter_invalid_integer', 'created[gte]', 'Invalid integer: NaN'],
  ['/v1/invoices?customer=', 400, 'parameter_invalid_empty', 'customer', 'empty string'],
  ['/v1/invoices?customer=cus_none', 400, 'resource_missing', 'customer', "No such customer: 'cus_none'"],
  ['/v1/invoices/in_none', 404, 'resource_missing', 'invoice', "No such invoice: 'in_none'"],
  ['/v1/subscriptions/sub_none', 404, 'resource_missing', 'id', "No such subscription: 'sub_none'"],
  ['/v1/subscription_items', 400, 'parameter_missing', 'subscription', 'Missing required param'],
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
    'invoice item',
  ],
  ['/v1/products?active=yes', 400, undefined, 'active', 'Invalid boolean: yes'],
  ['/v1/invoices?expand=data.customer', 400, undefined, 'expand', 'Invalid array'],
  ['/v1/invoices?starting_after=in_one&ending_before=in_one', 400, undefined, undefined, 'only one'],
  ['/v1/nonsense', 404, undefined, undefined, 'Unrecognized request URL (GET: /v1/nonsense)'],
])('%s', async (path, status, code, param, message) => {
  const answer = await ask(simulator, path)
  expect(answer.status).toBe(status)
  expect(at(answer.body, 'error.type')).toBe('invalid_request_error')
  expect(at(answer.body, 'error.code')).toBe(code)
  expect(at(answer.body, 'error.param')).toBe(param)
  expect(at(answer.body, 'error.message')).toContain(message)
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
  const old = await simulator.fetch(
    new Request(`${ORIGIN}/v1/customers`, {
      headers: { authorization: 'Bearer sk_test_tributary_demo', 'stripe-version': '2024-06-20' },
    }),
  )
  expect(old.status).toBe(501)
})

test.each(['POST', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('%s is refused and kept as a write', async (method) => {
  const own = simulate()
  const response = await own.fetch(
    new Request(`${ORIGIN}/v1/customers/cus_one`, {
      method,
      headers: { authorization: 'Bearer sk_test_tributary_demo' },
    }),
  )
  expect([response.status, response.headers.get('x-simulated-fault')]).toEqual([405, 'read-only'])
  expect(own.requests.writes).toEqual([{ method, path: '/v1/customers/cus_one', status: 405 }])
})

test('answers carry a request id and the version', async () => {
  const own = simulate()
  const first = await ask(own, '/v1/account')
  const second = await ask(own, '/v1/nonsense')
  expect(first.headers.get('stripe-version')).toBe('2026-10-28.endive')
  expect(first.headers.get('request-id')).toMatch(/^req_[0-9a-z]{14}$/)
  expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
})
