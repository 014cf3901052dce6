import { describe, expect, it } from 'vitest'
import type { StripeAnswers } from '#simulators/stripe/requests/open-answers.ts'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { invoice, line, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { coupon, customer, discount, listOf, price } from '#simulators/stripe/testing/stripe-objects.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { createAsk, type Finding } from './ask.ts'
import { tableOf, withoutSecrets } from './report.ts'
import { askStripe } from './stripe-questions.ts'

async function probe(
  world: SimulatedWorld,
  key = 'sk_test_tributary_demo',
  openAnswers: Partial<StripeAnswers> = {},
) {
  const simulator = simulate({ world, openAnswers })
  const ask = createAsk({
    fetch: (url, init) => simulator.fetch(new Request(url, { ...init, redirect: 'manual' })),
    ...{ origin: 'http://stripe.test', headers: { authorization: `Bearer ${key}` } },
    ...{ mayWrite: false, sleep: async () => {} },
  })
  const findings = await askStripe(ask, key)
  expect(simulator.requests.counters.writes).toBe(0)
  return findings
}

const answerTo = (findings: Finding[], part: string) =>
  findings.find(({ question }) => question.includes(part))?.answer

describe('the questions to Stripe', () => {
  it.each([
    ['empty', 'null'],
    ['charged', 'amount divided by quantity'],
    ['listed', 'the unit amount of the price'],
  ] as const)('tell the reading %s of a proration', async (unitOfParts, answer) => {
    const asOf = Date.UTC(2026, 4, 20) / 1000
    const machine = createMachine({ seed: 20_260_101, customers: 60, months: 12, asOf, unitOfParts })
    machine.runTo(asOf)
    const findings = await probe(readWorld(JSON.parse(JSON.stringify(machine.snapshot().world))))
    expect(answerTo(findings, 'unit amount of a proration')).toBe(answer)
  })

  it.each([
    [null, 'null'],
    ['500', 'amount divided by quantity'],
    ['1000', 'the unit amount of the price'],
    ['700', 'another amount'],
  ])('tell the unit amount %s of a short period', async (unit, answer) => {
    const short = invoice('in_short', shortLine(unit))
    const findings = await probe({ ...smallWorld(), invoices: [short] })
    expect(answerTo(findings, 'short period')).toBe(answer)
  })

  it.each([
    [[-300, -200, 300, 400], 'credits first'],
    [[300, 400, -300, -200], 'charges first'],
    [[-300, 400, -200, 300], 'alternating'],
    [[-300, 400, 300, -200], 'in another order'],
    [[-300, 400], 'not seen'],
  ])('tell the order of lines %j of a tiered item', async (amounts, answer) => {
    const world = smallWorld()
    const lines = amounts.map((amount, index) => tieredLine(`il_tier${index}`, amount))
    const tiered = invoice('in_tiered', { lines: listOf('/v1/invoices/in_tiered/lines', lines) })
    const findings = await probe({ ...world, invoices: [tiered] })
    expect(answerTo(findings, 'credits and charges of a tiered item')).toBe(answer)
  })

  it.each([
    [true, false, 'used up by the trial'],
    [false, true, 'kept for the first paid invoice'],
    [true, true, 'on both invoices'],
    [false, false, 'not seen'],
  ])('tell a coupon at a trial: on the trial %s, on the first paid %s', async (atTrial, atPaid, answer) => {
    const findings = await probe(trialWorld(atTrial, atPaid))
    expect(answerTo(findings, 'coupon for one invoice')).toBe(answer)
  })

  it.each([
    [{ customer_account: null }, 'null'],
    [{ customer_account: 'acct_two' }, 'an account, of some'],
  ])('tell customer_account %j', async (more, answer) => {
    const findings = await probe({
      ...smallWorld(),
      ...{ customers: [customer('cus_one', more)], subscriptions: [], invoices: [] },
    })
    expect(answerTo(findings, 'customer_account')).toBe(answer)
  })

  it.each<[Partial<StripeAnswers>, string]>([
    [{}, 'code more_permissions_required, names the permission, names the account'],
    [{ refusalCode: null }, 'no code, names the permission, names the account'],
    [{ refusalCode: null, refusalNames: false }, 'no code, names no permission, names no account'],
  ])('tell what a restricted key is answered with %j', async (openAnswers, answer) => {
    const lacking = await probe(smallWorld(), 'rk_test_probe_without_coupons', openAnswers)
    expect(answerTo(lacking, 'without a permission')).toBe(`403, type invalid_request_error, ${answer}`)
  })

  it('tell that a secret key lacks no permission', async () => {
    expect(answerTo(await probe(smallWorld()), 'without a permission')).toBe('not asked')
  })

  it.each([
    [false, 'no'],
    [true, 'by headers'],
  ])('tell headers of limits: %s', async (hasRateHeaders, answer) => {
    const findings = await probe(smallWorld(), undefined, { hasRateHeaders })
    expect(answerTo(findings, 'requests are left')).toBe(answer)
  })

  it('send nothing that writes', async () => {
    const ask = createAsk({
      ...{ fetch: () => Promise.reject(new Error('sent')), origin: 'http://stripe.test', headers: {} },
      ...{ mayWrite: false, sleep: async () => {} },
    })
    await expect(ask('POST', '/v1/customers')).rejects.toThrow('POST request was refused')
  })

  it('are reported without keys, names, ids or amounts', async () => {
    const world = smallWorld()
    const text = tableOf(await probe(world, 'rk_test_probe_without_coupons'))
    const told = JSON.stringify(world).match(/"(?:id|email|name)":"[^"]+"/g) ?? []
    const secrets = told.map((field) => field.split('"')[3] ?? '').filter((word) => word.length > 5)
    expect(secrets.filter((word) => text.includes(word))).toEqual([])
    expect(text).not.toMatch(/[rs]k_test_|acct_\w|\d{4}/)
    expect(withoutSecrets('key pat-na1-1234abcd of a.b@c.example, acct_1Abcdefg owes 123456')).toBe(
      'key (key) of (address), (id) owes (number)',
    )
  })
})

/** Ten days of a monthly price of 1000, which are no proration. */
function shortLine(unit: string | null) {
  const standing = line('il_short', { invoice: 'in_short' })
  const start = Number(Reflect.get(Object(standing['period']), 'start'))
  const short = {
    ...standing,
    amount: 500,
    quantity: 1,
    period: { start, end: start + 10 * 86_400 },
    pricing: {
      type: 'price_details',
      price_details: { price: 'price_monthly', product: 'prod_seats' },
      unit_amount_decimal: unit,
    },
  }
  return { lines: listOf('/v1/invoices/in_short/lines', [short]) }
}

function tieredLine(id: string, amount: number) {
  const details = { proration: true, subscription_item: 'si_one', subscription: 'sub_one' }
  return line(id, {
    amount,
    pricing: {
      type: 'price_details',
      price_details: { price: 'price_tiered', product: 'prod_seats' },
      unit_amount_decimal: null,
    },
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { ...details, invoice_item: null, proration_details: null },
      invoice_item_details: null,
    },
  })
}

function trialWorld(atTrial: boolean, atPaid: boolean): SimulatedWorld {
  const world = smallWorld()
  const once = coupon('coupon_once', { duration: 'once' })
  const applied = discount('di_once', {
    subscription: 'sub_one',
    source: { type: 'coupon', coupon: once.id },
  })
  const bill = (id: string, amount: number, isDiscounted: boolean, more: object) =>
    invoice(id, {
      discounts: isDiscounted ? [applied] : [],
      subtotal: amount,
      lines: listOf(`/v1/invoices/${id}/lines`, [line(`il_${id}`, { amount, invoice: id })]),
      ...more,
    })
  return {
    ...world,
    prices: [...world.prices, price('price_trial')],
    coupons: [...world.coupons, once],
    subscriptions: [subscription('sub_one')],
    invoices: [
      bill('in_paid', 2_000, atPaid, { created: 1_700_000_200, billing_reason: 'subscription_cycle' }),
      bill('in_trial', 0, atTrial, { created: 1_700_000_100, billing_reason: 'subscription_create' }),
    ],
  }
}
