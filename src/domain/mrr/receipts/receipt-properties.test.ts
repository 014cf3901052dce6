import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { on, rebuild } from '#test/mrr/examples.ts'
import { holdsForAccounts, propertyMs, runs } from '#test/mrr/generated-lives.ts'
import { untrueOfKind, untrueOfReceipt } from '#test/mrr/untrue-of-receipt.ts'
import { receiptLine } from '../../crm-record.ts'
import { decimalOfCents, minorDigits } from '../../currency.ts'
import type { MrrEvent } from '../../event.ts'
import type { Receipt, ReceiptPart } from './receipt.ts'
import { type ReceiptSubject, withEveryLine } from './receipt-lines.ts'

type Fraction = [top: bigint, bottom: bigint]

function read(text: string): Fraction {
  const [top = '0', bottom = '1'] = text.split('/')
  return [BigInt(top), BigInt(bottom)]
}

function plus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d]
}

function minus(a: Fraction, [c, d]: Fraction): Fraction {
  return plus(a, [-c, d])
}

function isSame([a, b]: Fraction, [c, d]: Fraction): boolean {
  return a * d === c * b
}

function checkPart({ gross, discount, inclusiveTax, net, months, monthly }: ReceiptPart): void {
  const left = minus(minus(read(gross), read(discount)), read(inclusiveTax))
  assert.ok(
    isSame(read(net), left[0] > 0n ? left : [0n, 1n]),
    `${gross} - ${discount} - ${inclusiveTax} = ${net}`,
  )
  const [top, bottom] = read(months)
  const [a, b] = read(monthly)
  assert.ok(isSame([a * top, b * bottom], read(net)), `${net} / ${months} = ${monthly}`)
}

/** Adds up the line of a record in the CRM as a person does who sees nothing else. */
function checkLine(receipt: Receipt): void {
  const { parts, currency, mrrCents } = receipt
  if (parts.length === 0) return
  const line = receiptLine(receipt)
  const [written = '', total = ''] = line.split(' = ')
  let [sum, lack] = [0, 0]
  for (const [index, text] of written.split(' + ').entries()) {
    const [price = 0, ...less] = (text.match(/(?<=( for| less) )[\d.]+/g) ?? []).map(Number)
    const [top, bottom] = read(parts[index]?.months ?? '1')
    const perMonth = Number(bottom) / Number(top)
    sum += less.reduce((left, amount) => left - amount, price) * perMonth
    // Three dots stand for less than a hundredth of the smallest unit.
    lack += 0.01 * (text.split('…').length - 1) * perMonth
  }
  const unit = 10 ** minorDigits(currency)
  assert.ok(total.startsWith(`${decimalOfCents(mrrCents, currency)} `), line)
  assert.ok(Math.abs(sum * unit - mrrCents) <= 0.5 + lack + 1e-6, line)
}

function checkReceipt(receipt: Receipt | undefined, figureCents: number): void {
  assert.ok(receipt, 'every figure has a receipt')
  for (const part of receipt.parts) checkPart(part)
  checkLine(receipt)
  const sum = receipt.parts.map(({ monthly }) => read(monthly)).reduce(plus, [0n, 1n])
  assert.ok(isSame(sum, read(receipt.sum)), 'the parts add up to the sum')
  const [top, bottom] = plus(read(receipt.sum), read(receipt.rounding))
  assert.ok(isSame([top, bottom], [BigInt(figureCents), 1n]), 'sum and rounding are the figure')
  const [rest, whole] = read(receipt.rounding)
  assert.ok(2n * rest <= whole && -2n * rest < whole, `half up, ${receipt.rounding}`)
  assert.equal(receipt.mrrCents, figureCents)
  assert.ok(receipt.rules.includes('R28'))
}

/** The products that are sold, each with how often it is billed. */
function mixOf(parts: readonly ReceiptPart[]): string {
  const kinds = parts.map(
    ({ productId, priceId, itemId, intervalCount, interval }) =>
      `${productId ?? priceId ?? itemId}@${intervalCount}${interval}`,
  )
  return [...new Set(kinds)].sort().join()
}

/** What a change started from leads to it: its MRR, its seats, and its products where they are the change. */
function checkChange(event: MrrEvent, before: Pick<Receipt, 'parts' | 'mrrCents'>, after: Receipt): void {
  const { id, changeType, previousMrrCents, previousQuantity } = event
  const quantity = before.parts.reduce((sum, part) => sum + part.quantity, 0)
  assert.deepEqual([before.mrrCents, quantity], [previousMrrCents, previousQuantity], id)
  const isOtherMix = mixOf(before.parts) !== mixOf(after.parts)
  if (changeType === 'plan_change') assert.ok(isOtherMix, `${id} changes no plan`)
  if (changeType === 'price_change' || changeType === 'quantity_change')
    assert.ok(!isOtherMix, `${id} changes a plan`)
}

test(`R28 on ${runs} accounts: the parts of every receipt add up to its figure, and what it says of invoices is so`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ account, policy }) => {
    const { events, subscriptions, receipts } = rebuild({ ...account, policy })
    const invoices = new Map(account.invoices.map((invoice) => [invoice.id, invoice]))
    const checkWords = (receipt: Receipt | undefined, subject: ReceiptSubject, at: number | null) =>
      receipt &&
      assert.deepEqual(untrueOfReceipt(withEveryLine(receipt, subject, invoices), account.invoices, at), [])
    const held = new Map(account.subscriptions.map((subscription) => [subscription.id, subscription]))
    const last = new Map<string, Receipt | undefined>()
    for (const event of events) {
      const { id, subscriptionId, currentMrrCents, occurredAt: at, invoiceId } = event
      const [earlier, receipt] = [last.get(subscriptionId), receipts.ofEvent(id)]
      last.set(subscriptionId, receipt)
      if (earlier && receipt && event.mrrChangeCents !== 0)
        checkChange(event, receipt.before ?? earlier, receipt)
      checkReceipt(receipt, currentMrrCents)
      checkWords(receipt, { at, invoiceId }, at)
      const subscription = held.get(subscriptionId)
      if (receipt && subscription) assert.deepEqual(untrueOfKind(event, receipt, subscription), [], id)
    }
    for (const { subscriptionId, currentMrrCents, isUnsupported } of subscriptions) {
      const receipt = receipts.ofSubscription(subscriptionId)
      checkReceipt(receipt, currentMrrCents)
      if (isUnsupported === null) checkWords(receipt, { at: on(account.asOf), invoiceId: null }, null)
    }
  })
})
