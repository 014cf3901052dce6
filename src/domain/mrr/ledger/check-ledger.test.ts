import { expect, test } from 'vitest'
import { item, on, price, rebuild, renewals, subscription } from '#test/mrr/examples.ts'
import type { MrrEvent } from '../../event.ts'
import { checkLedger } from './check-ledger.ts'
import { snapshotsOf } from './snapshots.ts'

const pro = price('pro', 2000)
const asOf = on('2025-03-20')

/** A correct ledger of two subscriptions in two currencies: 1 seat, then 3 from February. */
function rightLedger() {
  const { events, subscriptions } = rebuild({
    subscriptions: [
      subscription([item(pro, 3, { periodStart: on('2025-03-01') })]),
      subscription([item(price('euro', 500, 'month', { currency: 'eur' }), 1, { id: 'si_e' })], {
        id: 'sub_e',
        currency: 'eur',
      }),
    ],
    invoices: [...renewals(pro, 1, ['2025-01-01']), ...renewals(pro, 3, ['2025-02-01', '2025-03-01'])],
    asOf: '2025-03-20',
  })
  return { events, subscriptions, snapshots: snapshotsOf(events, on('2025-01-01'), asOf) }
}

type Ledger = ReturnType<typeof rightLedger>

/** The faults found after a ledger was damaged, as short texts. */
function faultsAfter(damage: (ledger: Ledger) => void): string[] {
  const ledger = structuredClone(rightLedger())
  damage(ledger)
  return checkLedger(ledger.events, ledger.subscriptions, ledger.snapshots, asOf).map(
    ({ identity, subscriptionId, month, currency, expectedCents, foundCents }) =>
      `${identity} ${subscriptionId ?? month ?? currency} ${foundCents} for ${expectedCents}`,
  )
}

function eventAt(events: MrrEvent[], index: number): MrrEvent {
  const event = events[index]
  if (!event) throw new RangeError(`no event ${index}`)
  return event
}

test('R38 a right ledger has no faults, and neither has an empty one', () => {
  expect(rightLedger().events).toHaveLength(3)
  expect(faultsAfter(() => {})).toEqual([])
  expect(checkLedger([], [], [], asOf)).toEqual([])
})

test('R38 an event that does not start where the last ended breaks the chain', () => {
  expect(
    faultsAfter(({ events }) => {
      const event = eventAt(events, 2)
      event.previousMrrCents = 1900
      event.mrrChangeCents = 4100
    }),
  ).toEqual(['chain sub_1 1900 for 2000', 'total usd 6000 for 6100'])
})

test('R38 a change that is not the difference of its two ends', () => {
  expect(
    faultsAfter(({ events }) => {
      eventAt(events, 2).mrrChangeCents = 4001
    }),
  ).toEqual(['change sub_1 4001 for 4000', 'total usd 6000 for 6001'])
})

test('R28 a part of a cent', () => {
  const faults = faultsAfter(({ events, subscriptions, snapshots }) => {
    const event = eventAt(events, 2)
    event.currentMrrCents = 6000.5
    event.mrrChangeCents = 4000.5
    const state = subscriptions[0]
    if (state) state.currentMrrCents = 6000.5
    for (const snapshot of snapshots) if (snapshot.mrrCents === 6000) snapshot.mrrCents = 6000.5
  })
  expect(faults).toEqual(['whole_cents sub_1 6000.5 for 6001', 'whole_cents sub_1 4000.5 for 4001'])
})

test('R38 a subscription whose current MRR is not the end of its events', () => {
  expect(
    faultsAfter(({ subscriptions }) => {
      const state = subscriptions[0]
      if (state) state.currentMrrCents = 5000
    }),
  ).toEqual(['current sub_1 5000 for 6000', 'total usd 5000 for 6000'])
})

test('R38 events of a subscription that is not among them are missing from the total', () => {
  expect(faultsAfter(({ subscriptions }) => void subscriptions.splice(0, 1))).toEqual([
    'total usd 0 for 6000',
  ])
})

test('R34 one currency never makes up for another', () => {
  expect(
    faultsAfter(({ subscriptions }) => {
      for (const state of subscriptions) state.currency = 'usd'
    }),
  ).toEqual(['total eur 0 for 500', 'total usd 6500 for 6000'])
})

test('R38 a snapshot that is off, one that is missing and one too many', () => {
  expect(
    faultsAfter(({ snapshots }) => {
      for (const snapshot of snapshots) if (snapshot.month === '2025-02') snapshot.mrrCents += 1
    }),
  ).toEqual(['snapshot 2025-02 501 for 500', 'snapshot 2025-02 6001 for 6000'])
  expect(faultsAfter(({ snapshots }) => void snapshots.pop())).toEqual(['snapshot 2025-03 0 for 6000'])
  expect(
    faultsAfter(
      ({ snapshots }) =>
        void snapshots.push({ month: '2025-04', currency: 'usd', mrrCents: 6000, activeSubscriptions: 1 }),
    ),
  ).toEqual(['snapshot 2025-04 6000 for 0'])
})

test('a fault says what is wrong in a sentence', () => {
  const { events, subscriptions } = rightLedger()
  const [first] = checkLedger(events.slice(1), subscriptions, [], asOf)
  expect(first?.message).toBe(
    'The event of 2025-02-01T00:00:00Z starts at 2000, the one before it ended at 0',
  )
})
