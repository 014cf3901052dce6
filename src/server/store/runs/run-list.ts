import { type ExpressionBuilder, sql } from 'kysely'
import { addDays, type Day } from '#domain/date-range.ts'
import type { Tenant } from '../postgres/database.ts'
import type { DB } from '../postgres/tables.ts'
import type { Run, RunKind } from './runs.ts'

/** A run with the name of the person who started it, and the runs beside it. */
export type ListedRun = Run & {
  startedByName: string | null
  /** The import that a push follows, and the push that follows an import. */
  follows: RunPlace | null
  followedBy: RunPlace | null
}
export type RunPlace = { id: string; createdAt: Date }

export type RunFilter = {
  kind?: RunKind | undefined
  status?: string | undefined
  /** Only runs that failed or told of errors. */
  hasErrors?: boolean
  /** Days (UTC) of their start, both included. */
  startedFrom?: Day | undefined
  startedTo?: Day | undefined
  /** Leaves out completed runs that changed nothing. */
  hidesUnchanged?: boolean
}

/** A page of runs, newest first, and how many there are and were left out. */
export async function listRuns(
  tenant: Tenant,
  query: RunFilter & { page: number; limit: number },
): Promise<{ runs: ListedRun[]; totalCount: number; hiddenCount: number }> {
  const runs = await newestFirst(tenant, query)
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const count = async (isUnchanged: boolean) => {
    const counted = await tenant.sql
      .selectFrom('runs')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('organization_id', '=', tenant.organizationId)
      .where('is_unchanged', '=', isUnchanged)
      .where((e) => e.and(filters(e, { ...query, hidesUnchanged: false })))
      .executeTakeFirstOrThrow()
    return counted.count
  }
  const { hidesUnchanged = false, hasErrors = false } = query
  // A run with errors never counts as unchanged.
  const [changed, unchanged] = [await count(false), hasErrors ? 0 : await count(true)]
  return {
    runs: await withNeighbors(tenant, runs),
    totalCount: hidesUnchanged ? changed : changed + unchanged,
    hiddenCount: hidesUnchanged ? unchanged : 0,
  }
}

/** Behind which run a part of an export begins. Its time is text, which keeps every microsecond. */
export type RunsPlace = { createdAt: string; id: string }

/** Runs from a place on, newest first, and where the next begin; null behind the last. Counts nothing. */
export async function readRunsOnwards(
  tenant: Tenant,
  filter: RunFilter,
  { behind, limit }: { behind: RunsPlace | null; limit: number },
): Promise<{ runs: ListedRun[]; next: RunsPlace | null }> {
  const isBehind = sql<boolean>`(runs.created_at, runs.id) < (${behind?.createdAt}::timestamptz, ${behind?.id})`
  const runs = await newestFirst(tenant, filter)
    .select(sql<string>`runs.created_at::text`.as('createdAt'))
    .$if(behind !== null, (query) => query.where(isBehind))
    .limit(limit)
    .execute()
  const last = runs.length < limit ? undefined : runs.at(-1)
  return {
    runs: await withNeighbors(tenant, runs),
    next: last === undefined ? null : { createdAt: last.createdAt, id: last.id },
  }
}

/** One run as it is listed. */
export async function findListedRun(tenant: Tenant, id: string): Promise<ListedRun | undefined> {
  const runs = await listed(tenant).where('runs.id', '=', id).execute()
  return (await withNeighbors(tenant, runs))[0]
}

function listed(tenant: Tenant) {
  return tenant.sql
    .selectFrom('runs')
    .leftJoin('user', 'user.id', 'runs.started_by_user_id')
    .selectAll('runs')
    .select('user.name as startedByName')
    .where('runs.organization_id', '=', tenant.organizationId)
}

function newestFirst(tenant: Tenant, filter: RunFilter) {
  return listed(tenant)
    .where((e) => e.and(filters(e, filter)))
    .orderBy('runs.created_at', 'desc')
    .orderBy('runs.id', 'desc')
}

/** Word for word the condition of `runs_with_errors_idx`, or PostgreSQL does not use the index. */
const withErrors = sql<boolean>`(runs.status = 'failed' or runs.failed_records > 0 or runs.told_errors)`

function filters(e: ExpressionBuilder<DB, 'runs'>, filter: RunFilter) {
  const { kind, status, hasErrors, startedFrom, startedTo, hidesUnchanged } = filter
  const start = (day: Day) => new Date(`${day}T00:00:00Z`)
  return [
    ...(kind === undefined ? [] : [e('runs.kind', '=', kind)]),
    ...(status === undefined ? [] : [e('runs.status', '=', status)]),
    ...(hasErrors ? [withErrors] : []),
    ...(startedFrom === undefined ? [] : [e('runs.created_at', '>=', start(startedFrom))]),
    ...(startedTo === undefined ? [] : [e('runs.created_at', '<', start(addDays(startedTo, 1)))]),
    ...(hidesUnchanged ? [e('runs.is_unchanged', '=', false)] : []),
  ]
}

/** Adds which import each push follows and the other way round. */
async function withNeighbors<R extends Run & { startedByName: string | null }>(
  tenant: Tenant,
  runs: readonly R[],
): Promise<ListedRun[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const followed = runs.flatMap(({ follows_run_id: id }) => id ?? [])
  const near = await tenant.sql
    .selectFrom('runs')
    .select(['id', 'created_at as createdAt', 'follows_run_id as followsId'])
    .where('organization_id', '=', tenant.organizationId)
    .where((e) =>
      e.or([
        e('id', '=', sql<string>`any(${followed}::text[])`),
        e('follows_run_id', '=', sql<string>`any(${ids}::text[])`),
      ]),
    )
    .orderBy('created_at', 'desc')
    .execute()
  const place = (found: (typeof near)[number] | undefined): RunPlace | null =>
    found === undefined ? null : { id: found.id, createdAt: found.createdAt }
  return runs.map((run) => ({
    ...run,
    follows: place(near.find(({ id }) => id === run.follows_run_id)),
    followedBy: place(near.find(({ followsId }) => followsId === run.id)),
  }))
}
