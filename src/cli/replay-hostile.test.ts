import { expect, test } from 'vitest'
import { toInvoice } from '#server/providers/stripe/from-stripe/invoice.ts'
import { UnreadableObject } from '#server/providers/stripe/from-stripe/read-fields.ts'
import { fc } from '#test/fast-check.ts'
import { stripeInvoice, stripeLine, stripePrice, stripeSubscription } from '#test/mrr/replay-examples.ts'
import { BadReplayInput } from './field-checks.ts'
import { replayDocument } from './replay.ts'
import { documentOf, readReplayDocument } from './replay-document.ts'

const seat = stripePrice('seat', 1000)
const change = { from: '2025-01-16', to: '2025-02-01', isProration: true }

const asOf = Date.parse('2025-02-10T00:00:00Z') / 1000

function document(): Record<string, unknown> {
  const ids = ['sub_a', 'sub_b']
  return {
    as_of: '2025-02-10T00:00:00Z',
    prices: [seat],
    coupons: [{ id: 'half', percent_off: 50, duration: 'once' }],
    subscriptions: ids.map((id) => stripeSubscription(id, seat, 11)),
    invoices: ids.flatMap((id) => [
      stripeInvoice(`in_${id}_1`, id, '2025-01-01', [
        stripeLine(id, seat, { amount: 10_000, quantity: 10, from: '2025-01-01', to: '2025-02-01' }),
      ]),
      stripeInvoice(`in_${id}_2`, id, '2025-02-01', [
        stripeLine(id, seat, { ...change, amount: 5500, quantity: 11 }),
        stripeLine(id, seat, { ...change, amount: -5000, quantity: 10 }),
        stripeLine(id, seat, { amount: 11_000, quantity: 11, from: '2025-02-01', to: '2025-03-01' }),
      ]),
    ]),
  }
}

type Place = { owner: Record<string, unknown>; name: string }

function placesIn(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places
  const owner = value as Record<string, unknown>
  for (const name of Object.keys(owner)) {
    places.push({ owner, name })
    placesIn(owner[name], places)
  }
  return places
}

/** Replacement values for a field; undefined removes it. */
const absurd = [
  undefined,
  null,
  '',
  'x',
  -1,
  0,
  1e300,
  2 ** 53,
  -5_000_000_000,
  0.5,
  true,
  [],
  {},
  [null],
  'month',
  '12',
  253_402_300_800,
  '9'.repeat(60),
]

type Answer = {
  events: {
    subscriptionId: string
    occurredAt: string
    changeType: string
    previousMrr: number
    currentMrr: number
    mrrChange: number
    currentQuantity: number
  }[]
  subscriptions: { subscriptionId: string; currentMrr: number; unsupported?: string }[]
}

/** The answer through the tolerant readers, as the import accepts whatever a provider sends. */
function takenOver(damaged: Record<string, unknown>): Answer {
  return replayDocument(documentOf(damaged, asOf), true) as Answer
}

/** How many damaged documents each property gets. */
const runs = Number(process.env['HOSTILE_RUNS'] ?? 1_000)

test('whatever a field holds, the import throws nothing and every ledger still adds up', () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...absurd)), { minLength: 1, maxLength: 4 })
  let readable = 0
  fc.assert(
    fc.property(damage, (hits) => {
      const damaged = structuredClone(document())
      for (const [place, value] of hits) {
        const places = placesIn(damaged)
        const target = places[place % places.length]
        if (target) target.owner[target.name] = structuredClone(value)
      }
      let answer: Answer
      try {
        answer = takenOver(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableObject)
        return
      }
      readable += 1
      for (const { subscriptionId, currentMrr } of answer.subscriptions) {
        let level = 0
        for (const event of answer.events.filter((entry) => entry.subscriptionId === subscriptionId)) {
          expect(event.previousMrr).toBe(level)
          level = event.currentMrr
        }
        expect(level).toBe(currentMrr)
        expect(Number.isSafeInteger(level)).toBe(true)
      }
    }),
    { numRuns: runs },
  )
  expect(readable).toBeGreaterThan(runs / 3)
})

test('what is wrong with one subscription stays with it', () => {
  const right = ledgerOf(takenOver(document()))
  let unsupported = 0
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...absurd)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damage, (hits) => {
      // Copied through text, so that the two share no object.
      const damaged = JSON.parse(JSON.stringify(document()))
      const own = [damaged.subscriptions[0], damaged.invoices[0], damaged.invoices[1]]
      for (const [place, value] of hits) {
        const places = placesIn(own).filter(({ owner, name }) => owner !== (own as unknown) && name !== 'id')
        const target = places[place % places.length]
        if (target) target.owner[target.name] = structuredClone(value)
      }
      if (own.slice(1).some(isAnyones)) return
      const answer = takenOver(damaged)
      expect(ledgerOf(answer)).toEqual(right)
      const [first] = answer.subscriptions
      if (first?.unsupported === undefined) return
      unsupported += 1
      expect(first).toMatchObject({ currentMrr: 0 })
      expect(first.unsupported.length).toBeGreaterThan(20)
    }),
    { numRuns: runs },
  )
  expect(unsupported).toBeGreaterThan(runs / 30)
})

test('the command refuses what Stripe cannot have sent by the name of its field, and reads all else', () => {
  const seen = { refused: 0, read: 0 }
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...absurd), (place, value) => {
      const damaged = structuredClone(document())
      const places = placesIn(damaged)
      const target = places[place % places.length]
      if (target) target.owner[target.name] = structuredClone(value)
      try {
        replayDocument(readReplayDocument(JSON.stringify(damaged)), true)
        seen.read += 1
      } catch (error) {
        expect(error).toBeInstanceOf(BadReplayInput)
        expect(String(error)).toMatch(/^Error: [a-z_]+[\w.[\]]* is [^\n]+$/)
        seen.refused += 1
      }
    }),
    { numRuns: runs },
  )
  expect(seen.refused).toBeGreaterThan(runs / 3)
  expect(seen.read).toBeGreaterThan(runs / 10)
})

/** Whether an invoice names neither lines nor a subscription, and so may belong to any of its customer's. */
function isAnyones(value: unknown): boolean {
  const { subscriptionId, lines } = toInvoice(value)
  return subscriptionId === null && lines.some(({ standsForAll }) => standsForAll)
}

function ledgerOf({ events, subscriptions }: Answer): unknown {
  return [
    events
      .filter(({ subscriptionId }) => subscriptionId === 'sub_b')
      .map((event) => [
        event.occurredAt,
        event.changeType,
        event.previousMrr,
        event.currentMrr,
        event.currentQuantity,
      ]),
    subscriptions.find(({ subscriptionId }) => subscriptionId === 'sub_b')?.currentMrr,
  ]
}
