import { describe, expect, it } from 'vitest'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { daySeconds, dayZero, hourSeconds, lastHour, movingAccount } from '#test/import/moving-account.ts'
import { demoKey, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

/** With GOLDEN=all the account changes at every request, otherwise at every sixth. */
const isLong = process.env['GOLDEN'] === 'all'
const every = isLong ? 1 : 6
const customers = isLong ? 45 : 12
const testTimeoutMs = 600_000

/** A draft invoice beside every third invoice, so that some pages end at a draft. */
function draftsOf(world: SimulatedWorld): SimulatedWorld['invoices'] {
  return world.invoices
    .filter((_, index) => index % 3 === 0)
    .map((invoice) => ({ ...invoice, id: `${invoice.id}_draft`, status: 'draft' }))
}

/** The account later, after these drafts were deleted, with the events that announce it. */
function withoutDrafts(drafts: SimulatedWorld['invoices'], later: SimulatedWorld): SimulatedWorld {
  const created = Date.parse(later.as_of) / 1000
  const events = drafts.map((invoice) => ({
    id: `evt_${invoice.id}`,
    object: 'event',
    created,
    type: 'invoice.deleted',
    data: { object: invoice },
  }))
  return { ...later, events: [...(later.events ?? []), ...events] }
}

describe('an account that changes while it is being imported', () => {
  it(
    'is whole after the next import of what changed, whenever that was',
    async () => {
      const worldAt = movingAccount(17, customers)
      const begun = worldAt(dayZero)
      const drafts = draftsOf(begun)
      const before = { ...begun, invoices: [...begun.invoices, ...drafts] }
      const after = withoutDrafts(drafts, worldAt(dayZero + 2 * daySeconds))
      const last = {
        ...after,
        as_of: new Date((dayZero + 2 * daySeconds + hourSeconds) * 1000).toISOString(),
      }
      let changeAt = Number.POSITIVE_INFINITY
      let asked = 0
      const stage = await stageImport({
        world: last,
        pageSize: 10,
        around: (fetch) => (request) => {
          asked += 1
          if (asked === changeAt) stage.simulator.setWorld(after)
          return fetch(request)
        },
      })
      try {
        const { simulator } = stage
        asked = 0
        await stage.importAll()
        const expected = await stage.dump()
        const requestCount = asked
        expect(requestCount).toBeGreaterThan(30)
        for (let step = 1; step <= requestCount; step += every) {
          const other = await stage.another(`Moved ${step}`)
          simulator.setWorld(before)
          await connectPayments(stage.deps, other.organizationId, demoKey)
          const begun = await other.start()
          asked = 0
          changeAt = step
          const ended = await other.work(begun)
          changeAt = Number.POSITIVE_INFINITY
          expect(ended).toMatchObject({ status: 'completed' })
          simulator.setWorld(last)
          const at = Date.parse(last.as_of) / 1000
          expect(await other.work(await other.start(lastHour(at)))).toMatchObject({ status: 'completed' })
          expect(await other.dump(), `changed at request ${step} of ${requestCount}`).toEqual(expected)
        }
        // Some pages ended at drafts that were deleted before the next request.
        expect(simulator.requests.counters.byStatus['400']).toBeGreaterThan(0)
      } finally {
        await stage.close()
      }
    },
    testTimeoutMs,
  )
})
