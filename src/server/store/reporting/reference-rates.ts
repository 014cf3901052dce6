import { sql } from 'kysely'
import { dayOfDate } from '#domain/instant.ts'
import { mergeRates } from '#domain/reporting/parse-rates.ts'
import type { DayRates } from '#domain/reporting/rate.ts'
import type { Database, Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { areSame } from './rates.ts'

/**
 * Whether the shared rates are to be read now: once after each publication, and again an hour after a failure. Only one
 * process is told so.
 */
export async function claimReading(
  database: Database,
  { at, publishedAt }: { at: Date; publishedAt: Date },
): Promise<boolean> {
  const hourAgo = new Date(at.getTime() - 3_600_000)
  const { rows } = await sql`
    insert into rate_readings as known (source, tried_at) values ('ecb', ${at})
    on conflict (source) do update set tried_at = excluded.tried_at
     where known.tried_at < ${hourAgo} and (known.read_at is null or known.read_at < ${publishedAt})
    returning source`.execute(database)
  return rows.length > 0
}

/** Keeps the shared rates that are new, or others in an open month. */
export async function recordReferenceRates(
  database: Database,
  stated: readonly DayRates[],
  at: Date,
): Promise<void> {
  const today = dayOfDate(at)
  const { rows: known } = await sql<{ day: string; revision: number; rates: Record<string, string> }>`
    select distinct on (day) to_char(day, 'YYYY-MM-DD') as day, revision, rates from reference_rates
     where source = 'ecb' order by day, revision desc`.execute(database)
  const ofDay = new Map(known.map((row) => [row.day, row]))
  const rows = stated.flatMap(({ day, base, rates: given }) => {
    const kept = ofDay.get(day)
    const { rates } = mergeRates(day, kept?.rates ?? {}, given, today)
    return kept && areSame(kept.rates, rates)
      ? []
      : [{ day, base, revision: (kept?.revision ?? 0) + 1, rates }]
  })
  if (rows.length > 0)
    await sql`
      insert into reference_rates (source, day, base, revision, rates, recorded_at)
      select 'ecb', day, base, revision, rates, ${at}
        from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (day date, base text, revision integer, rates jsonb)
      on conflict do nothing`.execute(database)
}

/** Whether shared rates were kept since the last reading that was complete, which amounts therefore have yet to follow. */
export async function hasNewRates(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from reference_rates
     where source = 'ecb'
       and recorded_at > coalesce((select read_at from rate_readings where source = 'ecb'), '-infinity')
     limit 1`.execute(database)
  return rows.length > 0
}

/** When the shared rates were read last. */
export async function findLastReading({ sql: transaction }: Tenant): Promise<Date | null> {
  const row = await transaction
    .selectFrom('rate_readings')
    .select('read_at')
    .where('source', '=', 'ecb')
    .executeTakeFirst()
  return row?.read_at ?? null
}

/** Notes that the shared rates were read, and that amounts follow them. */
export async function noteReading(database: Database, at: Date): Promise<void> {
  await sql`update rate_readings set read_at = ${at} where source = 'ecb'`.execute(database)
}
