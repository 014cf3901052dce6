import { describe, expect, test } from 'vitest'
import { mrrOn } from './expected/truth.ts'
import { generateWorld } from './generate-world.ts'
import { advance, createMachine } from './machine.ts'
import type { WorldObject } from './model/stripe-object.ts'
import { addMonths, daySeconds } from './time/calendar.ts'

const asOf = Date.UTC(2026, 9, 31, 12) / 1000
const small = { customers: 40, months: 12, asOf }

type Totals = {
  subtotal: number
  total: number
  total_discount_amounts: { amount: number; discount: string }[]
  total_taxes: { amount: number; tax_behavior: string }[]
  discounts: { id: string }[]
  lines: {
    data: {
      amount: number
      discount_amounts: { amount: number; discount: string }[]
      taxes: { amount: number }[]
    }[]
  }
}

/** The fields that enter the sums of an invoice. */
function totalsOf(invoice: WorldObject): Totals {
  return JSON.parse(JSON.stringify(invoice))
}

const sum = (parts: { amount: number }[]): number => parts.reduce((total, part) => total + part.amount, 0)

describe('a generated world', () => {
  test('is the same to the byte for one seed, and another for another', () => {
    const text = (seed: number): string => JSON.stringify(generateWorld({ seed, ...small }))
    expect(text(1)).toBe(text(1))
    expect(text(1)).not.toBe(text(2))
  })

  test('has every id once and no reference into nothing', () => {
    const { world } = generateWorld({ seed: 3, ...small })
    const lists = [
      world.customers,
      world.products,
      world.prices,
      world.subscriptions,
      world.invoices,
      world.invoice_payments,
      world.payment_intents,
      world.payment_methods,
    ]
    const ids = lists.flat().map((object) => object.id)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set(ids)
    expect(world.subscriptions.filter((one) => !known.has(String(one.customer)))).toEqual([])
    expect(world.invoice_payments.filter((one) => !known.has(String(one.invoice)))).toEqual([])
    expect(world.inline_prices.filter((id) => !known.has(id))).toEqual([])
    const intents = world.invoice_payments.map(
      ({ payment }) => JSON.parse(JSON.stringify(payment)).payment_intent,
    )
    expect(intents.filter((id) => !known.has(id))).toEqual([])
    const paid = world.payment_intents.filter((one) => one.status === 'succeeded')
    const cards = paid.map((one) => one.payment_method).filter((card) => typeof card === 'string')
    expect(cards.length).toBeGreaterThan(50)
    expect(cards.filter((card) => !known.has(card))).toEqual([])
  })

  test('adds up on every invoice: lines, discounts, taxes, total', () => {
    const { world } = generateWorld({ seed: 4, asOf })
    for (const invoice of world.invoices.map(totalsOf)) {
      const lines = invoice.lines.data
      const ofInvoice = new Set(invoice.discounts.map((discount) => discount.id))
      const taken = lines.flatMap((line) => line.discount_amounts)
      const byItems = taken.filter((part) => !ofInvoice.has(part.discount))
      const onTop = sum(invoice.total_taxes.filter((tax) => tax.tax_behavior === 'exclusive'))
      expect(invoice.subtotal).toBe(sum(lines) - sum(byItems))
      expect(sum(invoice.total_discount_amounts)).toBe(sum(taken))
      expect(invoice.total).toBe(sum(lines) - sum(taken) + onTop)
      expect(sum(invoice.total_taxes)).toBe(sum(lines.flatMap((line) => line.taxes)))
    }
  })

  test('holds nothing from after the instant it was made for', () => {
    const { world, truth } = generateWorld({ seed: 5, ...small })
    const late = [...world.invoices, ...world.subscriptions, ...world.customers].filter(
      (one) => Number(one.created) > asOf,
    )
    expect(late).toEqual([])
    expect(truth.subscriptions.flatMap((one) => one.changes).filter((change) => change.at > asOf)).toEqual([])
  })

  test('keeps to real-looking but unreal addresses', () => {
    const { world } = generateWorld({ seed: 6, asOf })
    const addresses = world.customers.map((one) => one.email).filter((email) => typeof email === 'string')
    const invented = /\.example$|^billing\.team\.\d+@/i
    expect(addresses.filter((email) => !invented.test(email))).toEqual([])
  })
})

describe('time moved on', () => {
  test('brings renewals and events, and leaves the past as it was', () => {
    const machine = createMachine({ seed: 8, ...small })
    machine.runTo(asOf)
    const before = machine.snapshot()
    const bytes = JSON.stringify(before)
    advance(machine, 40 * daySeconds)
    const after = machine.snapshot()
    expect(after.truth.asOf).toBe(asOf + 40 * daySeconds)
    expect(after.world.invoices.length).toBeGreaterThan(before.world.invoices.length)
    expect(JSON.stringify(before)).toBe(bytes)
    for (const at of [asOf - 200 * daySeconds, asOf - 60 * daySeconds])
      expect(mrrOn(after.truth, at)).toEqual(mrrOn(before.truth, at))
    const ages = after.world.events.map((event) => after.truth.asOf - Number(event.created))
    expect(Math.max(...ages)).toBeLessThanOrEqual(30 * daySeconds)
    expect(ages.length).toBeGreaterThan(0)
  })

  test('does not run backwards', () => {
    const machine = createMachine({ seed: 8, ...small })
    machine.runTo(asOf)
    expect(() => machine.runTo(asOf - 1)).toThrow(RangeError)
  })

  test('keeps to the anchor through short months', () => {
    const anchor = Date.UTC(2027, 11, 31, 12) / 1000
    const days = [1, 2, 3, 4].map((months) =>
      new Date(addMonths(anchor, months) * 1000).toISOString().slice(0, 10),
    )
    expect(days).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
  })
})
