import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MrrEvent } from '#domain/event.ts'
import { snapshotsOf } from '#domain/mrr/ledger/snapshots.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inDollars } from '#test/store/reporting.ts'
import { inOrganization } from '../postgres/database.ts'
import { replaceEvents } from './events.ts'
import { deriveSnapshots } from './snapshots.ts'

let db: TestDatabase
beforeEach(async () => {
  db = await newOrganizationOne()
})
afterEach(() => db.close())

const instant = (iso: string) => Date.parse(iso) / 1000

function event(id: string, at: string, currency: string, from: number, to: number): MrrEvent {
  return {
    id,
    subscriptionId: id.split('/')[0] ?? '',
    customerId: 'cus',
    invoiceId: null,
    occurredAt: instant(at),
    mrrStatus: from === 0 ? 'New' : to === 0 ? 'Churn' : 'Upgrade',
    changeType: 'price_change',
    previousMrrCents: from,
    currentMrrCents: to,
    mrrChangeCents: to - from,
    previousQuantity: 1,
    currentQuantity: 1,
    currency,
    productName: null,
  }
}

// Events exactly on a 1st, a second before and after it, across a new year, and months without events.
const events = [
  event('a/1', '2025-11-30T23:59:59Z', 'usd', 0, 1_000),
  event('b/1', '2025-12-01T00:00:00Z', 'usd', 0, 500),
  event('c/1', '2025-12-01T00:00:01Z', 'usd', 0, 70),
  event('d/1', '2026-02-10T00:00:00Z', 'eur', 0, 900),
  event('a/2', '2026-02-28T23:59:59Z', 'usd', 1_000, 1_500),
  event('b/2', '2026-03-01T00:00:00Z', 'usd', 500, 0),
  event('d/2', '2026-05-01T00:00:00Z', 'eur', 900, 0),
]

function derive(of: MrrEvent[], until: string) {
  return inOrganization(db.database, 1, async (tenant) => {
    const texts = { paymentMethod: null, receipt: null, reportingRate: null }
    const rows = of.map((one, position) => ({
      ...one,
      position,
      ...texts,
      reportingChangeCents: inDollars(one.mrrChangeCents, one.currency),
    }))
    await replaceEvents(tenant, ['cus'], rows, new Date(0))
    await deriveSnapshots(tenant, new Date(until), new Date(0))
  })
}

function kept() {
  return query(
    db.ownerUrl,
    `select month, currency, mrr_cents::int as "mrrCents", active_subscriptions as "activeSubscriptions"
       from snapshots order by month, currency`,
  )
}

describe('snapshots', () => {
  it.each(['2026-06-20T00:00:00Z', '2026-05-01T00:00:00Z', '2025-12-01T00:00:00Z', '2025-11-30T23:59:59Z'])(
    'are what the rule book makes of the same events up to %s',
    async (until) => {
      await derive(events, until)
      expect(await kept()).toEqual(snapshotsOf(events, 0, instant(until)))
    },
  )

  it('go when the ledger they came from goes', async () => {
    await derive(events, '2026-06-20T00:00:00Z')
    await derive(events.slice(0, 1), '2026-06-20T00:00:00Z')
    expect(await kept()).toEqual(snapshotsOf(events.slice(0, 1), 0, instant('2026-06-20T00:00:00Z')))
    await derive([], '2026-06-20T00:00:00Z')
    expect(await kept()).toEqual([])
  })
})
