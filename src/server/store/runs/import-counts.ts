import { sql } from 'kysely'
import { placeOfList, readAfter } from '../payments/payment-lists.ts'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'

/** Below this share of the time that the lists cover, an estimate is too uncertain. */
const guessFromShare = 0.05

/**
 * How many objects of each kind a run has imported. The total is exact for a complete kind; before that it is
 * extrapolated from the time read so far, or null if uncertain. Lists count once their turn comes.
 */
export async function countImportedObjects(
  tenant: Tenant,
  runId: string,
): Promise<{ kind: string; done: number; total: number | null }[]> {
  const ofRun = sql`w.organization_id = ${tenant.organizationId} and w.run_id = ${runId}`
  const { rows } = await sql<Counted>`${prepared}
    with windows as (
      select w.kind, w.done_count, w.is_done, w.cursor_at, w.all_pages_read,
             coalesce(w.created_from, w.oldest_at) as bottom,
             coalesce(w.created_until, greatest(extract(epoch from r.created_at)::bigint, w.cursor_at)) as top
        from import_windows w join runs r on r.organization_id = w.organization_id and r.id = w.run_id
       where ${ofRun}
         and not (w.kind = ${readAfter.list} and not w.is_done and w.cursor_at is null
                  and exists (select from import_windows as before
                               where before.organization_id = w.organization_id and before.run_id = w.run_id
                                 and before.kind = ${readAfter.before} and not before.is_done))),
    listed as (
      select kind, sum(done_count)::bigint as listed, bool_and(is_done) as is_done,
             bool_or(bottom is null) as is_open_ended, sum(greatest(top - bottom, 1))::float8 as span,
             sum(case when is_done or all_pages_read then greatest(top - bottom, 1)
                      else least(coalesce(top - cursor_at, 0), greatest(top - bottom, 1)) end)::float8 as read
        from windows group by kind),
    named as (
      select w.kind, count(*) as named, count(*) filter (where is_found) as found, bool_and(is_found is not null) as is_done
        from import_objects w where ${ofRun} group by w.kind)
    select kind, coalesce(listed, 0) + coalesce(found, 0) as done,
           coalesce(l.is_done, true) and coalesce(n.is_done, true) as "isDone", coalesce(named, 0) as named,
           coalesce(listed, 0) as listed, l.kind is not null as "hasWindows", coalesce(is_open_ended, false) as "isOpenEnded",
           coalesce(span, 0) as span, coalesce(read, 0) as read
      from listed l full join named n using (kind) order by kind`.execute(tenant.sql)
  return rows
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((row) => ({ kind: row.kind, done: row.done, total: totalOf(row) }))
}

type Counted = {
  kind: string
  done: number
  isDone: boolean
  hasWindows: boolean
  /** Objects that are requested by id. */
  named: number
  /**
   * Objects from lists; `span` is the seconds of creation that the lists cover, `read` those that were read.
   */
  listed: number
  span: number
  read: number
  isOpenEnded: boolean
}

/** Lists in the order of reading, and then kinds of which only single objects are fetched. */
function placeOf({ kind, hasWindows }: Counted): number {
  return hasWindows ? placeOfList(kind) : Number.MAX_SAFE_INTEGER
}

function totalOf({ done, isDone, named, listed, span, read, isOpenEnded }: Counted): number | null {
  if (isDone) return done
  if (isOpenEnded || (span > 0 && read < span * guessFromShare)) return null
  const guess = named + (span > 0 ? (listed * span) / read : 0)
  return Math.max(done, roundUp(guess))
}

/** Rounds up to two digits, since more digits would suggest false precision. */
function roundUp(guess: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(guess, 1))) - 1)
  return Math.ceil(guess / unit) * unit
}
