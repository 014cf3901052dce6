import { describe, expect, test } from 'vitest'
import { generateWorld } from '../generate-world.ts'
import { specialStories } from './roster.ts'

const asOf = Date.UTC(2026, 9, 31, 12) / 1000
const { world, truth } = generateWorld({ seed: 31, asOf })
const text = (value: unknown): string => JSON.stringify(value)
const subscriptions = world.subscriptions.map(text)
const invoices = world.invoices.map(text)
const prices = world.prices.map(text)
const events = world.events.map((event) => event.type)

const some = (texts: string[], pattern: RegExp): number => texts.filter((one) => pattern.test(one)).length

describe('a world of ordinary size shows', () => {
  test.each([
    'active',
    'trialing',
    'past_due',
    'unpaid',
    'canceled',
    'incomplete',
    'incomplete_expired',
    'paused',
  ])('a subscription that is %s', (status) => {
    expect(world.subscriptions.filter((one) => one.status === status).length).toBeGreaterThan(0)
  })

  test.each(['draft', 'open', 'paid', 'uncollectible', 'void'])('an invoice that is %s', (status) => {
    expect(world.invoices.filter((one) => one.status === status).length).toBeGreaterThan(0)
  })

  test.each<[string, string[], RegExp]>([
    ['a credit proration', invoices, /"amount":-\d+.*"credited_items":\{"invoice"/],
    ['a proration riding on a renewal', invoices, /"billing_reason":"subscription_cycle".*"proration":true/],
    ['a proration on its own invoice', invoices, /"billing_reason":"subscription_update".*"proration":true/],
    [
      'a bare invoice item proration',
      invoices,
      /"invoice_item_details":\{"invoice_item":"ii_\w+","proration":true/,
    ],
    ['classic billing', subscriptions, /"type":"classic"/],
    ['flexible billing, included', subscriptions, /"proration_discounts":"included"/],
    ['flexible billing, itemized', subscriptions, /"proration_discounts":"itemized"/],
    [
      'an included discount of 0 on a proration',
      invoices,
      /"discount_amounts":\[\{"amount":0,"discount":"di_/,
    ],
    ['an itemized discount on a credit', invoices, /"discount_amounts":\[\{"amount":-\d+/],
    ['exclusive tax', invoices, /"tax_behavior":"exclusive"/],
    ['inclusive tax', invoices, /"tax_behavior":"inclusive"/],
    ['a trial invoice of 0', invoices, /Trial period for/],
    ['a flat fee of a tier', invoices, /"quantity":0,.*flat fee|flat fee.*"quantity":0,/],
    ['graduated tiers', prices, /"tiers_mode":"graduated"/],
    ['volume tiers', prices, /"tiers_mode":"volume"/],
    ['a package price', subscriptions, /"transform_quantity":\{"divide_by":100/],
    ['a fraction of a cent', subscriptions, /"unit_amount":null,"unit_amount_decimal":"12.5"/],
    ['a metered item', subscriptions, /"usage_type":"metered"/],
    ['a one-off line', invoices, /"subscription_item_details":null,"type":"invoice_item_details"/],
    ['a planned cancellation by flag', subscriptions, /"cancel_at_period_end":true.*"ended_at":null/],
    [
      'a planned cancellation by date',
      subscriptions,
      /"cancel_at":\d+,"cancel_at_period_end":false.*"ended_at":null/,
    ],
    [
      'a pause with its reason',
      subscriptions,
      /"status_details":\{"paused":\{"subscription":\{"type":"pause_requested"/,
    ],
    ['collection by invoice', subscriptions, /"collection_method":"send_invoice"/],
    ['a backdated start', invoices, /"billing_reason":"subscription_create".*from .* until /],
    ['an archived price in use', subscriptions, /"active":false.*"nickname":"legacy"/],
    ['euro', subscriptions, /"currency":"eur"/],
    ['yen', subscriptions, /"currency":"jpy"/],
    ['a negative total', invoices, /"ending_balance":-\d+/],
    ['more than ten items', subscriptions, /(?:"object":"subscription_item".*){11}/],
  ])('%s', (_what, texts, pattern) => {
    expect(some(texts, pattern)).toBeGreaterThan(0)
  })

  test.each(['day', 'week', 'month', 'year'])('a price by the %s in use', (interval) => {
    expect(some(subscriptions, new RegExp(`"interval":"${interval}"`))).toBeGreaterThan(0)
  })

  test('odd identities: deleted, without e-mail, without name, sharing a domain', () => {
    const { customers } = world
    const live = customers.filter((one) => one.deleted !== true)
    const domains = live
      .map((one) => String(one.email).split('@')[1])
      .filter((domain) => domain !== undefined)
    expect(customers.length).toBeGreaterThan(live.length)
    expect(live.filter((one) => one.email === null).length).toBeGreaterThan(2)
    expect(live.filter((one) => one.name === null).length).toBeGreaterThan(2)
    expect(domains.filter((domain) => domain === 'campus.example').length).toBeGreaterThan(2)
    const freeMail = ['gmail.com', 'outlook.com', 'yahoo.com', 'proton.me']
    expect(domains.filter((domain) => freeMail.includes(domain)).length).toBeGreaterThan(0)
  })

  test.each([
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice_payment.paid',
    'invoice.payment_failed',
    'invoice.voided',
    'customer.created',
    'customer.updated',
    'customer.deleted',
    'price.created',
    'product.created',
    'coupon.created',
  ])('the event %s in its last 30 days', (type) => {
    expect(events).toContain(type)
  })

  test('every special story, in which what it is about has happened', () => {
    const told = new Set(truth.subscriptions.map((one) => one.story))
    const untold = specialStories.filter((story) => !told.has(story.name)).map((story) => story.name)
    expect(untold).toEqual(['a customer who never bought'])
    const moved = (story: string): number =>
      Math.max(...truth.subscriptions.filter((one) => one.story === story).map((one) => one.changes.length))
    const changing = specialStories.filter((story) =>
      /seats|plan$|to yearly|to monthly|storage, grad|comes and/.test(story.name),
    )
    expect(changing.length).toBeGreaterThan(12)
    expect(changing.filter((story) => moved(story.name) < 2).map((story) => story.name)).toEqual([])
  })
})
