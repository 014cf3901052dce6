import { sql } from 'kysely'
import type { Database } from './database.ts'

type Lane = { account: string; bucket: string }
type Budget = { requests: number; windowMs: number }

/** Places further off than this are not given out: so much a process that dies can keep from the others. */
const aheadMs = 1_000
const slowestShare = 1 / 16
/** By so much a slowed lane grows with each place: back from a half after 70. */
const recovery = 1.01

/**
 * Paces kept in rows that all processes share. Never more places than the budget in any window of its length. Their time
 * is the database's own, which is one for all machines, unless a clock is handed in.
 */
export function createPaces(database: Database, now?: () => Date) {
  const at = () =>
    now ? sql`${now().getTime()}::float8` : sql`extract(epoch from clock_timestamp())::float8 * 1000`

  async function take(lane: Lane, budget: Budget): Promise<{ waitMs: number; isTaken: boolean }> {
    const { requests, windowMs } = budget
    // A clock that was put back must not leave places in a far future behind, hence `least`.
    const { rows } = await sql<{ waitMs: number; isTaken: boolean }>`
      with held as materialized (
        select taken_ms, share, paused_until_ms from paces
         where account = ${lane.account} and bucket = ${lane.bucket} for update),
      clocked as materialized (select *, ${at()} as at, cardinality(taken_ms) as count from held),
      place as materialized (
        select *, greatest(at, paused_until_ms, least(coalesce(taken_ms[count], 0), at + ${aheadMs}),
                 least(coalesce(taken_ms[count - ${requests}::integer + 1], '-infinity'), at + ${aheadMs}) + ${windowMs}::float8 / share) as due
          from clocked),
      taken as (
        update paces set
          taken_ms = (place.taken_ms || place.due)[greatest(1, place.count - ${requests}::integer + 2):],
          share = least(1, place.share * ${recovery}::float8)
          from place
         where paces.account = ${lane.account} and paces.bucket = ${lane.bucket} and due <= at + ${aheadMs})
      select due - at as "waitMs", due <= at + ${aheadMs} as "isTaken" from place`.execute(database)
    const [place] = rows
    if (place) return place
    await addLane(lane)
    return take(lane, budget)
  }

  async function hold(lane: Lane, pauseMs: number, factor: number): Promise<void> {
    await addLane(lane)
    // Refusals of requests that were under way together are one: whoever comes during the pause halves no further.
    await sql`
      with clocked as materialized (select ${at()} as at)
      update paces set
        share = case when paused_until_ms > at then share else greatest(${slowestShare}::float8, share * ${factor}::float8) end,
        paused_until_ms = greatest(paused_until_ms, at + ${pauseMs}::float8)
        from clocked where account = ${lane.account} and bucket = ${lane.bucket}`.execute(database)
  }

  async function addLane({ account, bucket }: Lane): Promise<void> {
    await database
      .insertInto('paces')
      .values({ account, bucket })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return {
    take,
    pause: (lane: Lane, pauseMs: number) => hold(lane, pauseMs, 1),
    slowDown: (lane: Lane, pauseMs: number) => hold(lane, pauseMs, 0.5),
  }
}
