import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { holdsForAccounts } from '#test/generated-lives.ts'
import type { MrrEvent, MrrStatus } from '../event.ts'
import { checkLedger } from './check-ledger.ts'
import { on, rebuild } from './examples.ts'
import { snapshotsOf } from './snapshots.ts'

/** MRR_RUNS asks for more accounts than every run of the tests makes. */
const range = { numRuns: Number(process.env['MRR_RUNS'] ?? 20_000) }
const timeoutMs = 30_000 + 3 * range.numRuns

const rising: readonly MrrStatus[] = ['New', 'Upgrade', 'Reactivation']

function checkEvent(event: MrrEvent, before: MrrEvent | undefined): void {
  const { mrrStatus, mrrChangeCents, currentMrrCents } = event
  assert.ok(Number.isSafeInteger(currentMrrCents) && currentMrrCents >= 0, 'whole cents, never below 0')
  if (mrrStatus === 'Planned_Cancellation') assert.equal(mrrChangeCents, 0)
  else assert.equal(Math.sign(mrrChangeCents), rising.includes(mrrStatus) ? 1 : -1, mrrStatus)
  assert.ok(event.occurredAt >= (before?.occurredAt ?? 0), 'time only goes on')
}

test('R38 the chain holds, changes sum to the current MRR and snapshots are the state of their 1st', {
  timeout: timeoutMs,
}, () => {
  holdsForAccounts(range, (account) => {
    const { events, subscriptions } = rebuild(account)
    const asOf = on(account.asOf)
    assert.deepEqual(
      checkLedger(events, subscriptions, snapshotsOf(events, on('2023-01-01'), asOf), asOf),
      [],
    )
    for (const [index, event] of events.entries()) checkEvent(event, events[index - 1])
    assert.equal(events[0]?.mrrStatus ?? 'New', 'New')
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'ids are unique')
  })
})

test('R20 the last state is what items and discounts say now, and a sighting kept gives the same ledger', {
  timeout: timeoutMs,
}, () => {
  holdsForAccounts(range, (account) => {
    const first = rebuild(account)
    const again = rebuild({ ...account, sightings: first.newSightings, asOf: '2025-02-10T01:00:00Z' })
    assert.deepEqual(again.newSightings, [])
    assert.deepEqual(again.events, first.events)
    for (const [index, { items, status, endedAt }] of account.subscriptions.entries()) {
      if (endedAt !== null || (status !== 'active' && status !== 'past_due')) continue
      assert.equal(first.subscriptions[index]?.quantity, items[0]?.quantity)
      const last = first.events.findLast((event) => event.subscriptionId === `sub_${index}`)
      if (last && last.currentMrrCents > 0 && first.newSightings.length > 0) {
        assert.equal(last.currentMrrCents, first.subscriptions[index]?.currentMrrCents)
      }
    }
  })
})
