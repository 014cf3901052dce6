import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { on, rebuild } from '#test/mrr/examples.ts'
import type { Life } from '#test/mrr/generated-bills.ts'
import { holdsForAccounts, propertyMs, runs } from '#test/mrr/generated-lives.ts'
import type { MrrEvent, MrrStatus } from '../event.ts'
import { checkLedger } from './ledger/check-ledger.ts'
import { snapshotsOf } from './ledger/snapshots.ts'

const rising: readonly MrrStatus[] = ['New', 'Upgrade', 'Reactivation']

function checkEvent(event: MrrEvent, before: MrrEvent | undefined): void {
  const { mrrStatus, mrrChangeCents, currentMrrCents } = event
  assert.ok(Number.isSafeInteger(currentMrrCents) && currentMrrCents >= 0, 'whole cents, never below 0')
  if (mrrStatus === 'Planned_Cancellation') assert.equal(mrrChangeCents, 0)
  else assert.equal(Math.sign(mrrChangeCents), rising.includes(mrrStatus) ? 1 : -1, mrrStatus)
  assert.ok(event.occurredAt >= (before?.occurredAt ?? 0), 'time only goes on')
}

test(`R38 on ${runs} accounts: the chain holds, changes sum to the current MRR, snapshots are the state of their 1st`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ account, policy }) => {
    const { events, subscriptions } = rebuild({ ...account, policy })
    const asOf = on(account.asOf)
    const snapshots = snapshotsOf(events, on('2023-01-01'), asOf)
    assert.deepEqual(checkLedger(events, subscriptions, snapshots, asOf), [])
    for (const [index, event] of events.entries()) checkEvent(event, events[index - 1])
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'ids are unique')
    for (const { currentMrrCents, isUnsupported } of subscriptions) {
      assert.equal(isUnsupported, null)
      assert.ok(Number.isSafeInteger(currentMrrCents))
    }
  })
})

test(`R20 on ${runs} accounts: what was seen and kept gives the same ledger at every later look`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ account, policy }) => {
    const first = rebuild({ ...account, policy })
    for (const asOf of ['2025-02-10T01:00:00Z', '2025-02-10T02:00:00Z']) {
      const again = rebuild({ ...account, policy, observations: first.newObservations, asOf })
      assert.deepEqual(again.newObservations, [])
      assert.deepEqual(again.events, first.events)
    }
  })
})

/** The same life without anything that could change its value. */
function quiet(life: Life): Life {
  return {
    ...life,
    items: life.items.map((item) => ({ ...item, changes: [], gone: null })),
    coupons: [],
    trialDays: 0,
    status: 'active',
    endMonth: null,
    unbilled: null,
  }
}

test(`R20 on ${runs} accounts: no event without a change, a planned cancellation aside`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ account, policy }) => {
    const { events } = rebuild({ ...account, policy: { ...policy, churnAt: 'end' } })
    const moves = events.filter(({ mrrStatus }) => mrrStatus !== 'Planned_Cancellation')
    const subscriptionIds = moves.map(({ subscriptionId }) => subscriptionId)
    assert.equal(new Set(subscriptionIds).size, moves.length)
    assert.ok(moves.every(({ previousMrrCents }) => previousMrrCents === 0))
  }, quiet)
})
