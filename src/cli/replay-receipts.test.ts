import { expect, test } from 'vitest'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'
import { runReplay, seatsDocument } from '#test/mrr/replay-examples.ts'

type Answer = {
  events: { invoiceId: string | null; currentMrr: number; currency: string; receipt: Receipt }[]
  subscriptions: { currentMrr: number; currency: string; receipt: Receipt; unsupported?: string }[]
}

function replayed(document: object): Answer {
  const { code, error, lines } = runReplay(['--receipts', 'a'], { a: document })
  expect({ code, error }).toEqual({ code: 0, error: '' })
  return lines[0]
}

const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
const account = generateWorld({ seed: 21, customers: 150, months: 24, asOf }).world
const linesOf = new Map(
  account.invoices.map((invoice) => {
    const { data } = invoice['lines'] as { data: { id: string }[] }
    return [invoice.id, data.map(({ id }) => id)]
  }),
)

/** The exact value of '25000/3' or '12.5' over a common denominator. */
function scaled(text: string, denominator: bigint): bigint {
  const [number = '', divisor = '1'] = text.split('/')
  const [whole = '', decimals = ''] = number.split('.')
  return (BigInt(whole + decimals) * denominator) / (BigInt(divisor) * 10n ** BigInt(decimals.length))
}

function common(texts: readonly string[]): bigint {
  return texts.reduce((product, text) => {
    const [number = '', divisor = '1'] = text.split('/')
    return product * BigInt(divisor) * 10n ** BigInt((number.split('.')[1] ?? '').length)
  }, 1n)
}

function expectAddsUp(receipt: Receipt, currentMrr: number): void {
  const monthlies = receipt.parts.map(({ monthly }) => monthly)
  const denominator = common([...monthlies, receipt.sum, receipt.rounding])
  const value = (text: string) => scaled(text, denominator)
  expect(monthlies.reduce((sum, text) => sum + value(text), 0n)).toBe(value(receipt.sum))
  expect(value(receipt.sum) + value(receipt.rounding)).toBe(BigInt(receipt.mrrCents) * denominator)
  expect(receipt.mrrCents).toBe(currentMrr)
}

test('every event and every current MRR has a receipt that adds up to it', () => {
  const { events, subscriptions } = replayed(account)
  expect(events.length).toBeGreaterThan(200)
  for (const { receipt, currentMrr, currency } of [...events, ...subscriptions]) {
    expectAddsUp(receipt, currentMrr)
    expect(receipt).toMatchObject({ currency, ruleBookVersion, policyRevision: 0 })
    expect(receipt.rules.length).toBeGreaterThan(0)
  }
})

test('each line of an invoice that a receipt speaks of is used, or left out with a reason and a rule', () => {
  const { events, subscriptions } = replayed(account)
  let leftOut = 0
  for (const entry of [...events, ...subscriptions]) {
    const { receipt } = entry
    const used = receipt.parts.flatMap(({ lineIds }) => lineIds)
    const ignored = receipt.ignored.map(({ lineId }) => lineId)
    const shown = new Set(receipt.parts.map(({ invoiceId }) => invoiceId).filter((id) => id !== null))
    if ('invoiceId' in entry && entry.invoiceId !== null) shown.add(entry.invoiceId)
    const told = [...used, ...ignored]
    expect(new Set(told).size).toBe(told.length)
    expect(told).toEqual(expect.arrayContaining([...shown].flatMap((id) => linesOf.get(id) ?? [])))
    for (const { reason, rule } of receipt.ignored) {
      expect(reason).toMatch(/^[A-Z].{7,}/)
      expect(rule).toMatch(/^R([1-9]|[12]\d|3[0-8])$/)
      expect(receipt.rules).toContain(rule)
    }
    for (const part of receipt.parts) expect(part.lineIds.length > 0).toBe(part.invoiceId !== null)
    leftOut += ignored.length
  }
  expect(leftOut).toBeGreaterThan(50)
})

test('an upgrade in the middle of a month shows the money back and the renewal as left out', () => {
  const [, upgrade] = replayed(seatsDocument('sub_1')).events
  expect(upgrade?.receipt.parts).toMatchObject([{ invoiceId: 'in_2', quantity: 11, gross: '11000' }])
  expect(upgrade?.receipt.ignored).toMatchObject([
    { amountCents: -5000, reason: 'Money back for unused time: it ends what was billed before', rule: 'R12' },
    { amountCents: 11_000, reason: 'It begins after the moment of this figure', rule: 'R21' },
  ])
})
