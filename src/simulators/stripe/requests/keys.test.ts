import { describe, expect, test } from 'vitest'
import { ask, at, origin, simulate } from '../testing/ask.ts'

const simulator = simulate({ keys: ['rk_test_handed_in', 'sk_test_revoked_abcd'] })

describe('keys', () => {
  test.each([
    'sk_test_tributary_demo',
    'rk_test_tributary_demo',
    'sk_test_of_this_world',
    'rk_test_handed_in',
  ])('%s is accepted', async (key) => {
    expect((await ask(simulator, '/v1/account', key)).status).toBe(200)
  })

  test.each([
    ['', undefined, 'You did not provide an API key'],
    ['sk_test_somebody_elses1234', undefined, 'Invalid API Key provided: sk_test_****1234'],
    ['sk_test_revoked_abcd', undefined, 'Invalid API Key provided: sk_test_****abcd'],
    ['rk_test_expired_abcd', 'api_key_expired', 'Expired API Key provided: rk_test_****abcd'],
    ['sk_live_tributary_demo', undefined, 'Invalid API Key provided: sk_live_****demo'],
    ['nonsense', undefined, 'Invalid API Key provided: ****ense'],
  ])('%s gives 401', async (key, code, message) => {
    const { body, status } = await ask(simulator, '/v1/account', key)
    expect([status, at(body, 'error.code'), at(body, 'error.type')]).toEqual([
      401,
      code,
      'invalid_request_error',
    ])
    expect(at(body, 'error.message')).toContain(message)
  })

  test('Basic authentication carries the key as user name', async () => {
    const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })
    const request = (key: string) => new Request(`${origin}/v1/account`, { headers: basic(key) })
    expect((await simulator.fetch(request('sk_test_tributary_demo'))).status).toBe(200)
    expect((await simulator.fetch(request('sk_test_other'))).status).toBe(401)
  })
})

describe('keys of an organization', () => {
  const version = { 'stripe-version': '2026-10-28.endive' }
  const askWith = async (key: string, headers: Record<string, string>) => {
    const all = { authorization: `Bearer ${key}`, ...headers }
    const answer = await simulator.fetch(new Request(`${origin}/v1/invoices`, { headers: all }))
    return { status: answer.status, body: await answer.json() }
  }
  const key = 'sk_org_test_tributary_demo'

  test('read the account that each request names', async () => {
    expect((await askWith(key, { 'stripe-context': 'acct_1Small', ...version })).status).toBe(200)
  })

  test.each([
    ['no account', version, 400, undefined, /include the Stripe-Context header/],
    ['no version', { 'stripe-context': 'acct_1Small' }, 400, undefined, /include the Stripe-Version header/],
    [
      'an account of somebody else',
      { 'stripe-context': 'acct_1Other', ...version },
      403,
      'account_invalid',
      /'sk_org_test_\*{4}demo' does not have access to account 'acct_1Other'/,
    ],
  ])('are refused with %s', async (_, headers, status, code, message) => {
    const answer = await askWith(key, headers)
    expect([answer.status, at(answer.body, 'error.code')]).toEqual([status, code])
    expect(at(answer.body, 'error.message')).toMatch(message)
  })

  test('may be restricted too', async () => {
    const headers = { 'stripe-context': 'acct_1Small', ...version }
    expect((await askWith('sk_org_test_without_invoices', headers)).status).toBe(403)
  })

  test('a key of one account reads no other either', async () => {
    const other = await askWith('sk_test_tributary_demo', { 'stripe-context': 'acct_1Other' })
    expect(other.status).toBe(403)
  })
})

describe('restricted keys', () => {
  test.each([
    ['account', '/v1/account', 'accounts_kyc_basic_read'],
    ['customers', '/v1/customers', 'customer_read'],
    ['subscriptions', '/v1/subscriptions', 'subscription_read'],
    ['subscriptions', '/v1/subscription_items?subscription=sub_one', 'subscription_read'],
    ['products', '/v1/products', 'product_read'],
    ['prices', '/v1/prices', 'plan_read'],
    ['coupons', '/v1/coupons', 'coupon_read'],
    ['invoices', '/v1/invoices', 'invoice_read'],
    ['invoices', '/v1/invoices/in_one/lines', 'invoice_read'],
    ['payment_methods', '/v1/payment_methods/pm_card', 'payment_method_read'],
    ['payment_intents', '/v1/payment_intents/pi_one', 'payment_intent_read'],
    ['payment_intents', '/v1/payment_intents', 'payment_intent_read'],
    ['payment_intents', '/v1/invoice_payments?expand[]=data.payment.payment_intent', 'payment_intent_read'],
    [
      'payment_methods',
      '/v1/invoice_payments?expand[]=data.payment.payment_intent.payment_method',
      'payment_method_read',
    ],
    ['events', '/v1/events', 'event_read'],
  ])('without %s, %s is refused', async (word, path, permission) => {
    const { body, status } = await ask(simulator, path, `rk_test_without_${word}`)
    expect([status, at(body, 'error.code')]).toEqual([403, 'more_permissions_required'])
    expect(at(body, 'error.message')).toMatch(
      new RegExp(
        `^Permission denied\\. .* Enabling "[A-Z][A-Za-z ]+ Read" \\('${permission}'\\) permissions`,
      ),
    )
    expect(at(body, 'error.message')).toContain("account 'acct_1Small'")
  })

  test('what is expanded must be readable as well', async () => {
    const key = 'rk_test_without_coupons_and_invoices'
    expect((await ask(simulator, '/v1/subscriptions', key)).status).toBe(200)
    expect((await ask(simulator, '/v1/invoices', key)).status).toBe(403)
    const path = '/v1/subscriptions?expand[]=data.discounts'
    expect((await ask(simulator, path, key)).status).toBe(200)
    expect((await ask(simulator, `${path}.source.coupon`, key)).status).toBe(403)
  })
})
