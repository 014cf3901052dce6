import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replayDocument } from './replay.ts'
import { BadReplayInput, readReplayDocument } from './replay-document.ts'
import { stripeInvoice, stripeLine, stripePrice, stripeSubscription } from './replay-examples.ts'

const seat = stripePrice('seat', 1000)
const change = { from: '2025-01-16', to: '2025-02-01', isProration: true }

function document(): unknown {
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

const absurd = [
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
  events: { subscriptionId: string; previousMrr: number; currentMrr: number; mrrChange: number }[]
  subscriptions: { subscriptionId: string; currentMrr: number; unsupported?: string }[]
}

test('whatever a field holds, nothing is thrown and every ledger still adds up', () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...absurd)), { minLength: 1, maxLength: 4 })
  let readable = 0
  fc.assert(
    fc.property(damage, (hits) => {
      const damaged: unknown = structuredClone(document())
      for (const [place, value] of hits) {
        const places = placesIn(damaged)
        const target = places[place % places.length]
        if (target) target.owner[target.name] = structuredClone(value)
      }
      let answer: Answer
      try {
        answer = replayDocument(readReplayDocument(JSON.stringify(damaged)), true) as Answer
      } catch (error) {
        expect(error).toBeInstanceOf(BadReplayInput)
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
    { numRuns: 3000 },
  )
  expect(readable).toBeGreaterThan(1000)
})

test('what is wrong with one subscription stays with it', () => {
  const right = amountsOf(replayDocument(readReplayDocument(JSON.stringify(document())), false) as Answer)
  let unsupported = 0
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...absurd)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damage, (hits) => {
      // By way of text, so that the two share no object.
      const damaged = JSON.parse(JSON.stringify(document()))
      const own = [damaged.subscriptions[0], damaged.invoices[0], damaged.invoices[1]]
      for (const [place, value] of hits) {
        const places = placesIn(own).filter(({ owner, name }) => owner !== (own as unknown) && name !== 'id')
        const target = places[place % places.length]
        if (target) target.owner[target.name] = structuredClone(value)
      }
      let answer: Answer
      try {
        answer = replayDocument(readReplayDocument(JSON.stringify(damaged)), false) as Answer
      } catch (error) {
        expect(error).toBeInstanceOf(BadReplayInput)
        return
      }
      expect(amountsOf(answer)).toEqual(right)
      const [first] = answer.subscriptions
      if (first?.unsupported === undefined) return
      unsupported += 1
      expect(first).toMatchObject({ currentMrr: 0 })
      expect(first.unsupported.length).toBeGreaterThan(20)
    }),
    { numRuns: 3000 },
  )
  expect(unsupported).toBeGreaterThan(100)
})

function amountsOf({ events, subscriptions }: Answer): unknown {
  return [
    events
      .filter(({ subscriptionId }) => subscriptionId === 'sub_b')
      .map(({ previousMrr, currentMrr }) => [previousMrr, currentMrr]),
    subscriptions.find(({ subscriptionId }) => subscriptionId === 'sub_b')?.currentMrr,
  ]
}
