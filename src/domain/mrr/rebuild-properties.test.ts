import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MrrEvent } from '../event.ts'
import { rebuild } from './examples.ts'
import { accountOfLives, type Change, type GeneratedAccount, type Life, plans } from './generated-account.ts'

const change: fc.Arbitrary<Change> = fc.record({
  month: fc.integer({ min: 0, max: 11 }),
  plan: fc.integer({ min: 0, max: plans.length - 1 }),
  quantity: fc.integer({ min: 1, max: 30 }),
  isProrated: fc.boolean(),
  offPercent: fc.constantFrom(0, 0, 10, 33, 100),
})

const life: fc.Arbitrary<Life> = fc.record({
  startMonth: fc.integer({ min: 0, max: 12 }),
  changes: fc.array(change, { maxLength: 5 }),
  endMonth: fc.option(fc.integer({ min: 1, max: 12 })),
  asked: fc.boolean(),
  status: fc.constantFrom('active', 'active', 'past_due', 'trialing', 'unpaid', 'paused', 'incomplete'),
})

const generatedAccounts = fc.array(life, { minLength: 1, maxLength: 4 }).map(accountOfLives)

const runs = { numRuns: Number(process.env['MRR_RUNS'] ?? 3000) }

function holds(check: (account: GeneratedAccount) => void): void {
  fc.assert(fc.property(generatedAccounts, check), runs)
}

test('each event starts where the last ended, and the changes sum to the current MRR', () => {
  holds((account) => {
    const { events, subscriptions } = rebuild(account)
    for (const { subscriptionId, currentMrrCents } of subscriptions) {
      const own = events.filter((event) => event.subscriptionId === subscriptionId)
      let level = 0
      for (const event of own) {
        expect(event.previousMrrCents).toBe(level)
        expect(event.mrrChangeCents).toBe(event.currentMrrCents - event.previousMrrCents)
        level = event.currentMrrCents
      }
      expect(level).toBe(currentMrrCents)
    }
  })
})

test('cents are whole and never below 0; only planned cancellations change nothing; time only goes on', () => {
  holds((account) => {
    let before = 0
    for (const event of rebuild(account).events) {
      expect(Number.isSafeInteger(event.currentMrrCents) && event.currentMrrCents >= 0).toBe(true)
      expect(event.mrrChangeCents === 0).toBe(event.mrrStatus === 'Planned_Cancellation')
      expect(event.occurredAt).toBeGreaterThanOrEqual(before)
      before = event.occurredAt
    }
  })
})

test('statuses follow the sign, and the first revenue of a customer is New', () => {
  holds((account) => {
    const { events } = rebuild(account)
    for (const { mrrStatus, mrrChangeCents } of events) {
      if (mrrStatus === 'Upgrade' || mrrStatus === 'New' || mrrStatus === 'Reactivation')
        expect(mrrChangeCents).toBeGreaterThan(0)
      if (mrrStatus === 'Downgrade' || mrrStatus === 'Churn') expect(mrrChangeCents).toBeLessThan(0)
    }
    if (events[0]) expect(events[0].mrrStatus).toBe('New')
  })
})

test('ids of events are unique', () => {
  holds((account) => {
    const ids = rebuild(account).events.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('a second rebuild, and one from invoices in another order, give the same bytes', () => {
  fc.assert(
    fc.property(generatedAccounts, fc.infiniteStream(fc.nat()), (account, chance) => {
      const bytes = JSON.stringify(rebuild(account))
      expect(JSON.stringify(rebuild(account))).toBe(bytes)
      const keys = new Map(account.invoices.map((invoice) => [invoice, chance.next().value]))
      const shuffled = [...account.invoices].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))
      expect(JSON.stringify(rebuild({ ...account, invoices: shuffled }))).toBe(bytes)
    }),
    runs,
  )
})

test('R37 splitting every invoice into one per line changes nothing but the invoice ids', () => {
  const bare = ({ invoiceId: _, ...event }: MrrEvent): object => event
  holds((account) => {
    const invoices = account.invoices.flatMap((invoice) =>
      invoice.lines.map((line, index) => ({
        ...invoice,
        id: `${invoice.id}_${index}`,
        lines: [line],
        totalDiscountCents: line.discountCents,
      })),
    )
    expect(rebuild({ ...account, invoices }).events.map(bare)).toEqual(rebuild(account).events.map(bare))
  })
})

test('other ids give other ids and nothing else', () => {
  holds((account) => {
    const text = JSON.stringify(account)
      .replaceAll('"sub_', '"sub_x')
      .replaceAll('"si_', '"si_x')
      .replaceAll('"in_', '"in_x')
    const renamed: GeneratedAccount = JSON.parse(text)
    const there = JSON.stringify(rebuild(renamed).events)
    expect(there.replaceAll('sub_x', 'sub_').replaceAll('in_x', 'in_')).toBe(
      JSON.stringify(rebuild(account).events),
    )
  })
})

test('ten times the units are ten times the MRR, to the rounding of each state', () => {
  const scale = 10
  holds((account) => {
    const scaled: GeneratedAccount = {
      ...account,
      subscriptions: account.subscriptions.map((entry) => ({
        ...entry,
        items: entry.items.map((held) => ({ ...held, quantity: (held.quantity ?? 1) * scale })),
      })),
      invoices: account.invoices.map((invoice) => ({
        ...invoice,
        totalDiscountCents: invoice.totalDiscountCents * scale,
        lines: invoice.lines.map((line) => ({
          ...line,
          quantity: (line.quantity ?? 1) * scale,
          amountCents: line.amountCents * scale,
          discountCents: line.discountCents * scale,
          discounts: line.discounts.map((entry) => ({ ...entry, amountCents: entry.amountCents * scale })),
        })),
      })),
    }
    const larger = rebuild(scaled).subscriptions
    for (const [index, { currentMrrCents }] of rebuild(account).subscriptions.entries()) {
      expect(Math.abs((larger[index]?.currentMrrCents ?? 0) - currentMrrCents * scale)).toBeLessThanOrEqual(
        scale,
      )
    }
  })
})
