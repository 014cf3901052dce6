import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

type Limit = { account: string; endpointGroup: string }
type Budget = { requests: number; windowMs: number; gapMs?: number }

/** Places later than this are not given out, which limits how much a dying process withholds from the others. */
const aheadMs = 1_000
const slowestShare = 1 / 16
/** A slowed limit grows by this factor with each place: from half to full after 70 places. */
const recovery = 1.01

/**
 * Rate limits in rows that all processes share. No window holds more places than the budget, and none are closer than
 * the gap. They use the database's clock, which all machines share, unless `now` is given.
 */
export function createRateLimits(database: Database, now?: () => Date) {
  const clock = () => (now ? sql`${now().getTime()}::float8` : sql`null`)
  const at = () =>
    now ? sql`${now().getTime()}::float8` : sql`extract(epoch from clock_timestamp())::float8 * 1000`

  async function take(
    { account, endpointGroup }: Limit,
    { requests, windowMs, gapMs = 0 }: Budget,
  ): Promise<{ waitMs: number; isTaken: boolean }> {
    const { rows } = await sql<{ waitMs: number; isTaken: boolean }>`
      select wait_ms as "waitMs", is_taken as "isTaken"
        from take_place(${account}, ${endpointGroup}, ${requests}, ${windowMs}, ${gapMs}, ${aheadMs}, ${recovery}, ${clock()})`.execute(
      database,
    )
    const [place] = rows
    if (!place) throw new Error('A place was neither given nor refused.')
    return place
  }

  async function hold(limit: Limit, pauseMs: number, factor: number): Promise<void> {
    await addLimit(limit)
    // Several requests in flight can be refused together; only the first refusal of a pause slows the limit.
    await sql`
      with clocked as materialized (select ${at()} as at)
      update paces set
        share = case when paused_until_ms > at then share else greatest(${slowestShare}::float8, share * ${factor}::float8) end,
        paused_until_ms = greatest(paused_until_ms, at + ${pauseMs}::float8)
        from clocked where account = ${limit.account} and bucket = ${limit.endpointGroup}`.execute(database)
  }

  async function addLimit({ account, endpointGroup }: Limit): Promise<void> {
    await database
      .insertInto('paces')
      .values({ account, bucket: endpointGroup })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return {
    take,
    pause: (limit: Limit, pauseMs: number) => hold(limit, pauseMs, 1),
    slowDown: (limit: Limit, pauseMs: number) => hold(limit, pauseMs, 0.5),
  }
}
