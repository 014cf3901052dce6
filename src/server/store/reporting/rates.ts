import { sql } from 'kysely'
import { dayOfDate } from '#domain/instant.ts'
import type { RateOf } from '#domain/reporting/conversion.ts'
import { crmRowOn } from '#domain/reporting/crm-rates.ts'
import { mergeRates, RatesFileError } from '#domain/reporting/parse-rates.ts'
import { crossRate, type DayRates, type RateSource } from '#domain/reporting/rate.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'

/** What recording a file did: days that are new, days with other values, and values that closed months keep. */
export type Recorded = { days: number; added: number; changed: number; ignored: number }

/** The world has about 180 currencies, and had as many more. */
const currenciesMax = 400

type KeptDay = { day: string; base: string; revision: number; rates: Record<string, string> }

const keyOf = ({ day, base }: { day: string; base: string }) => `${day} ${base}`

/**
 * Keeps what an organization uploaded, for itself. Values of closed months stay as they were first known, also from the
 * shared table.
 */
export async function recordRates(tenant: Tenant, stated: readonly DayRates[], at: Date): Promise<Recorded> {
  const { organizationId } = tenant
  const source = stated[0]?.source ?? 'ecb'
  const today = dayOfDate(at)
  const days = [...new Set(stated.map(({ day }) => day))]
  const own = await latestOwn(tenant, source, days)
  const shared = source === 'ecb' ? await latestShared(tenant, days) : new Map<string, KeptDay>()
  const recorded: Recorded = { days: stated.length, added: 0, changed: 0, ignored: 0 }
  const again = source === 'crm' ? await dayInForceAgain(tenant, stated) : undefined
  const rows = stated.flatMap(({ day, base, rates: given }) => {
    const known = own.get(keyOf({ day, base }))
    const inForce = known ?? shared.get(keyOf({ day, base }))
    const { rates, ignored } = mergeRates(day, inForce?.rates ?? {}, given, today)
    recorded.ignored += ignored
    if (Object.keys(rates).length > currenciesMax)
      throw new RatesFileError(`on ${day} it has more than ${currenciesMax} currencies.`)
    if (inForce && areSame(inForce.rates, rates) && day !== again) return []
    recorded[inForce ? 'changed' : 'added'] += 1
    return [{ day, base, revision: (known?.revision ?? 0) + 1, rates }]
  })
  if (rows.length > 0)
    await sql`
      insert into organization_rates (organization_id, source, day, base, revision, rates, recorded_at)
      select ${organizationId}, ${source}, day, base, revision, rates, ${at}
        from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (day date, base text, revision integer, rates jsonb)`.execute(
      tenant.sql,
    )
  return recorded
}

/** The CRM's base that is recorded last is in force; one that comes back is recorded again, with one of its days. */
async function dayInForceAgain(tenant: Tenant, stated: readonly DayRates[]): Promise<string | undefined> {
  const [first] = stated
  const { rows } = await sql<{ base: string }>`${crmBase(tenant)}`.execute(tenant.sql)
  return first && rows[0]?.base !== first.base ? first.day : undefined
}

function crmBase({ organizationId }: Tenant) {
  return sql`select base from organization_rates where organization_id = ${organizationId} and source = 'crm'
              order by recorded_at desc limit 1`
}

/** Whether both have the same rates for the same currencies. */
export function areSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const codes = Object.keys(b)
  return codes.length === Object.keys(a).length && codes.every((code) => a[code] === b[code])
}

/** An upload looks at its own days alone, so that it costs the same however many were kept before. */
async function latestOwn(
  { sql: transaction, organizationId }: Tenant,
  source: string,
  days: readonly string[],
) {
  const { rows } = await sql<KeptDay>`
    select distinct on (day, base) to_char(day, 'YYYY-MM-DD') as day, base, revision, rates from organization_rates
     where organization_id = ${organizationId} and source = ${source} and day = any(${days}::date[])
     order by day, base, revision desc`.execute(transaction)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

async function latestShared({ sql: transaction }: Tenant, days: readonly string[]) {
  const { rows } = await sql<KeptDay>`
    select distinct on (day) to_char(day, 'YYYY-MM-DD') as day, base, revision, rates from reference_rates
     where day = any(${days}::date[])
     order by day, revision desc`.execute(transaction)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** A currency and a day for which a rate is wanted. */
export type WantedRate = { currency: string; day: string }

/** Loads the rates to a currency that are wanted, by one source. The returned function knows no others. */
export async function loadRates(
  tenant: Tenant,
  { source, to, wanted }: { source: RateSource; to: string; wanted: readonly WantedRate[] },
): Promise<RateOf> {
  const foreign = wanted.filter(({ currency }) => currency !== to)
  if (foreign.length === 0) return () => null
  const rows = await rowsBy[source](tenant, to, foreign)
  return (currency, day) => {
    const row = rows.get(`${day} ${currency}`)
    return row ? crossRate(row, currency, to, day) : null
  }
}

/** The last row on or before each day, whichever currencies it has: one that it lacks has no rate then. */
async function ecbRows(tenant: Tenant, to: string, wanted: readonly WantedRate[]) {
  const codes = [...new Set([to, ...wanted.map(({ currency }) => currency)])]
  const days = [...new Set(wanted.map(({ day }) => day))]
  const { rows } = await sql<{ wanted: string; day: string; base: string; rates: Record<string, string> }>`
    select wanted.day as wanted, to_char(found.day, 'YYYY-MM-DD') as day, base,
           (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(rates)
             where key = any(${codes}::text[])) as rates
      from unnest(${days}::text[]) as wanted (day)
     cross join lateral (
       select * from (
         (select day, base, rates, 1 as place from organization_rates
           where organization_id = ${tenant.organizationId} and source = 'ecb' and day <= wanted.day::date
           order by day desc, revision desc limit 1)
         union all
         (select day, base, rates, 2 from reference_rates where source = 'ecb' and day <= wanted.day::date
           order by day desc, revision desc limit 1)) as each
        order by day desc, place limit 1) as found`.execute(tenant.sql)
  const ofDay = new Map(rows.map((row) => [row.wanted, { ...row, source: 'ecb' as const }]))
  return new Map<string, DayRates>(
    wanted.flatMap(({ day, currency }) => {
      const row = ofDay.get(day)
      return row ? [[`${day} ${currency}`, row] as const] : []
    }),
  )
}

/** The last row on or before the day that has both currencies: an own file does not state every currency each day. */
async function csvRows(tenant: Tenant, to: string, wanted: readonly WantedRate[]) {
  const { rows } = await sql<DayRates & { wanted: string; currency: string }>`
    select wanted.day as wanted, wanted.currency, to_char(found.day, 'YYYY-MM-DD') as day, base, rates, 'csv' as source
      from jsonb_to_recordset(${storableJson(wanted)}::jsonb) as wanted (currency text, day text)
     cross join lateral (
       select day, base, rates from organization_rates
        where organization_id = ${tenant.organizationId} and source = 'csv' and day <= wanted.day::date
          and (base = wanted.currency or jsonb_exists(rates, wanted.currency))
          and (base = ${to} or jsonb_exists(rates, ${to}))
        order by day desc, (base = ${to}) desc, base, revision desc limit 1) as found`.execute(tenant.sql)
  return new Map<string, DayRates>(rows.map((row) => [`${row.wanted} ${row.currency}`, row]))
}

/**
 * Few enough to read them all: people enter them, or a schedule once a month. Only those to the account's currency of
 * today count, which is that of the last ones that were read.
 */
async function crmRows(tenant: Tenant, to: string, wanted: readonly WantedRate[]) {
  const { rows } = await sql<DayRates>`
    select distinct on (day) to_char(day, 'YYYY-MM-DD') as day, base, rates, 'crm' as source
      from organization_rates
     where organization_id = ${tenant.organizationId} and source = 'crm' and base = (${crmBase(tenant)})
     order by day desc, revision desc`.execute(tenant.sql)
  return new Map<string, DayRates>(
    wanted.flatMap(({ day, currency }) => {
      const row = crmRowOn(rows, [currency, to], day)
      return row ? [[`${day} ${currency}`, row] as const] : []
    }),
  )
}

const rowsBy = { ecb: ecbRows, csv: csvRows, crm: crmRows }

/** How many rows the organization has uploaded. */
export async function countOwnRates(tenant: Tenant): Promise<number> {
  const { count } = await tenant.sql
    .selectFrom('organization_rates')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirstOrThrow()
  return count
}
