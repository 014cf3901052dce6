import { describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { daySeconds, dayZero, hourSeconds, lastHour, movingAccount } from '#test/import/moving-account.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

/** GOLDEN=all runs more and larger accounts through the rounds. */
const isLong = process.env['GOLDEN'] === 'all'
const seeds = isLong ? Array.from({ length: 30 }, (_, index) => index + 1) : [11, 29]
const customers = isLong ? 90 : 14
const testTimeoutMs = 600_000

/** Hours before each round, from zero to just below the gap after which we read everything again. */
const rounds = [0, 1, 5, 24, 2 * 24, 3 * 24, 24, 7 * 24, 24 * 24, 13]

describe('imports of what is new and what changed, round after round', () => {
  it.each(seeds)(
    'leave the same as a fresh import of everything (account %i)',
    async (seed) => {
      const worldAt = movingAccount(seed, customers)
      const kept = await stageImport({ world: worldAt(dayZero) })
      try {
        await kept.importAll()
        let at = dayZero
        for (const [round, hours] of rounds.entries()) {
          at += hours * hourSeconds
          kept.simulator.setWorld(worldAt(at))
          expect((await kept.work(await kept.start(lastHour(at)))).status).toBe('completed')
          const fresh = await kept.another(`Fresh ${round}`)
          await fresh.importAll()
          const when = `round ${round + 1}, ${(at - dayZero) / daySeconds} days on`
          expect(await kept.dump(), when).toEqual(await fresh.dump())
        }
      } finally {
        await kept.close()
      }
    },
    testTimeoutMs,
  )
})

/**
 * Two imports may differ in one thing only: a change that no invoice shows gets the date of its first
 * observation, and an earlier import observes it earlier.
 */
describe('a change that no invoice shows', () => {
  const begun = smallWorld()
  const nowSeconds = Date.parse(begun.as_of) / 1000

  /** sub_one ten minutes later with three seats instead of one, and no invoice for the change. */
  function later(minutes: number) {
    const subscriptions = begun.subscriptions.map((one) =>
      one.id === 'sub_one' ? { ...one, items: withQuantity(one['items'], 3) } : one,
    )
    const changed = { id: 'sub_one', object: 'subscription' }
    const event = { object: 'event', type: 'customer.subscription.updated', data: { object: changed } }
    return {
      ...begun,
      as_of: new Date((nowSeconds + minutes * 60) * 1000).toISOString(),
      subscriptions,
      events: [...(begun.events ?? []), { ...event, id: 'evt_seats', created: nowSeconds + 600 }],
    }
  }

  it('keeps the time at which it was first seen, and is else what a fresh import makes of it', async () => {
    const kept = await stageImport({ world: begun })
    try {
      await kept.importAll()
      for (const minutes of [15, 75, 135]) {
        kept.simulator.setWorld(later(minutes))
        await kept.work(await kept.start(lastHour(nowSeconds + minutes * 60)))
      }
      const fresh = await kept.another('Fresh')
      await fresh.importAll()
      const [ours, theirs] = [await seen(kept), await seen(fresh)]
      expect(ours.events.length).toBe(1)
      expect(theirs.events.length).toBe(1)
      expect(ours.events[0]?.occurred_at).toMatch(new RegExp(`^${isoMinute(nowSeconds + 15 * 60)}`))
      expect(theirs.events[0]?.occurred_at).toMatch(new RegExp(`^${isoMinute(nowSeconds + 135 * 60)}`))
      expect(withoutDate(ours.events)).toEqual(withoutDate(theirs.events))
      expect(ours.rest).toEqual(theirs.rest)
    } finally {
      await kept.close()
    }
  })
})

type EventRow = { id: string; occurred_at: string }

/** Separates events that are dated by observation from everything else. */
async function seen(stage: ImportStage) {
  const { events = [], ...tables } = await stage.dump()
  const rows = events as EventRow[]
  const isSeen = ({ id }: EventRow) => id.includes(':seen-')
  return { events: rows.filter(isSeen), rest: { ...tables, events: rows.filter((row) => !isSeen(row)) } }
}

const withoutDate = (events: readonly EventRow[]) => events.map(({ id, occurred_at, ...rest }) => rest)

const isoMinute = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16)

function withQuantity(list: unknown, quantity: number) {
  const { data, ...rest } = list as { data: object[] }
  return { ...rest, data: data.map((item) => ({ ...item, quantity })) }
}
