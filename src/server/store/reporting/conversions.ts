import { sql } from 'kysely'
import type { ConvertibleChange } from '#domain/reporting/conversion.ts'
import { columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { writeCounted } from '../totals/list-totals.ts'
import { getReporting } from './reporting.ts'

/** How far an organization's rows are converted again. `currency` is that of the last complete pass, null before it. */
export type ConversionState = {
  requested: number
  done: number
  afterId: string
  day: string | null
  currency: string | null
}

/** The state; locks it, so that one process at a time converts an organization's rows. Undefined while another one does. */
export async function lockConversion(tenant: Tenant): Promise<ConversionState | undefined> {
  const { rows } = await sql<ConversionState>`
    select requested, done, after_id as "afterId", to_char(day, 'YYYY-MM-DD') as day, currency from conversions
     where organization_id = ${tenant.organizationId} for update skip locked`.execute(tenant.sql)
  return rows[0]
}

/** Whether rows still wait to be converted again. */
export async function isConverting(tenant: Tenant): Promise<boolean> {
  const state = await tenant.sql
    .selectFrom('conversions')
    .select(['requested', 'done'])
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return state !== undefined && state.requested > state.done
}

/** Whether rows still wait for another reporting currency than that of the last complete pass. */
export async function isCurrencyChanging(tenant: Tenant): Promise<boolean> {
  const { rows } = await sql`
    select 1 from conversions c join organization_settings s using (organization_id)
     where organization_id = ${tenant.organizationId} and c.requested > c.done
       and c.currency is distinct from s.reporting_currency`.execute(tenant.sql)
  return rows.length > 0
}

/**
 * Whether the CRM's rates are to be read now, for an organization that takes them. Only one process is told so, and again
 * after an hour unless the reading is noted.
 */
export async function claimCrmReading(
  { sql: transaction, organizationId }: Tenant,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update conversions set rates_due_at = ${new Date(at.getTime() + 3_600_000)}
     where organization_id = ${organizationId} and (rates_due_at is null or rates_due_at <= ${at})
       and exists (select from organization_settings
                    where organization_id = ${organizationId} and rates_source = 'crm')
    returning 1`.execute(transaction)
  return rows.length > 0
}

/** Notes that the CRM's rates were read: again in a day. */
export async function noteCrmReading({ sql: transaction, organizationId }: Tenant, at: Date): Promise<void> {
  await sql`update conversions set rates_due_at = ${new Date(at.getTime() + 86_400_000)}
             where organization_id = ${organizationId}`.execute(transaction)
}

/** Makes every row due that is not in the reporting currency, from the first one on. */
export async function requestConversion({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`
    insert into conversions as known (organization_id) values (${organizationId})
    on conflict (organization_id) do update set requested = known.requested + 1, after_id = ''`.execute(
    transaction,
  )
}

type Pass = { requested: number; afterId: string | undefined; day: string; currency: string | null }

/** Saves how far the pass has come; without an id it is complete, with the rates of the day. */
export async function noteConverted(
  tenant: Tenant,
  { requested, afterId, day, currency }: Pass,
): Promise<void> {
  await tenant.sql
    .updateTable('conversions')
    .set(afterId === undefined ? { done: requested, after_id: '', day, currency } : { after_id: afterId })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** A subscription with its events in their order, in its own currency. */
export type ConvertibleSubscription = {
  id: string
  customerId: string
  currency: string
  currentMrrCents: number
  events: (ConvertibleChange & { id: string })[]
}

type Taking = { currency: string; isOtherCurrency: boolean; afterId: string; limit: number }

/**
 * The next subscriptions after an id that need a conversion: in another currency, or not yet as they are; all of them
 * after a pass to another currency. Locks their customers, so that no rebuild writes their rows meanwhile.
 */
export async function takeConvertible(
  tenant: Tenant,
  { currency, isOtherCurrency, afterId, limit }: Taking,
): Promise<ConvertibleSubscription[]> {
  const { organizationId } = tenant
  const due = await sql<{ id: string; customerId: string }>`
    select id, customer_id as "customerId" from subscriptions s
     where organization_id = ${organizationId} and id > ${afterId} and quantity is not null
       and (${isOtherCurrency} or currency <> ${currency} or reporting_mrr_cents is distinct from current_mrr_cents
            or reporting_rate is not null
            or exists (select from events e where e.organization_id = ${organizationId} and e.subscription_id = s.id
                          and e.reporting_change_cents is distinct from e.mrr_change_cents))
     order by id limit ${limit}`.execute(tenant.sql)
  const customers = [...new Set(due.rows.map(({ customerId }) => customerId))]
  await sql`select from customers where organization_id = ${organizationId} and id = any(${customers}::text[])
             order by id for update`.execute(tenant.sql)
  const ids = due.rows.map(({ id }) => id)
  const { rows } = await sql<Omit<ConvertibleSubscription, 'events'>>`
    select id, customer_id as "customerId", currency, current_mrr_cents as "currentMrrCents" from subscriptions
     where organization_id = ${organizationId} and id = any(${ids}::text[]) order by id`.execute(tenant.sql)
  const events = await sql<ConvertibleChange & { id: string; subscriptionId: string }>`
    select id, subscription_id as "subscriptionId", floor(extract(epoch from occurred_at))::bigint as "occurredAt",
           currency, previous_mrr_cents as "previousMrrCents", current_mrr_cents as "currentMrrCents",
           mrr_change_cents as "mrrChangeCents"
      from events where organization_id = ${organizationId} and subscription_id = any(${ids}::text[])
     order by occurred_at, position, id`.execute(tenant.sql)
  const eventsOf = Map.groupBy(events.rows, ({ subscriptionId }) => subscriptionId)
  return rows.map((row) => ({ ...row, events: eventsOf.get(row.id) ?? [] }))
}

type ConvertedRow = { id: string; cents: number | null; rate: string | null }

const convertedColumns = { id: 'text', cents: 'bigint', rate: 'text' } as const

/** Writes converted amounts where they are others. Nothing else of a row changes, not even its time. */
export async function saveConverted(
  tenant: Tenant,
  { events, subscriptions }: { events: readonly ConvertedRow[]; subscriptions: readonly ConvertedRow[] },
): Promise<void> {
  const { organizationId } = tenant
  if (events.length > 0)
    await sql`
      update events as known set reporting_change_cents = given.cents, reporting_rate = given.rate
        from ${columnRows(events, convertedColumns)} as given
       where known.organization_id = ${organizationId} and known.id = given.id
         and known.id = any(${events.map(({ id }) => id)}::text[])
         and (known.reporting_change_cents, known.reporting_rate) is distinct from (given.cents, given.rate)`.execute(
      tenant.sql,
    )
  if (subscriptions.length === 0) return
  const which = sql<boolean>`known.id = any(${subscriptions.map(({ id }) => id)}::text[])`
  const statement = sql`
    update subscriptions as known set reporting_mrr_cents = given.cents, reporting_rate = given.rate
      from ${columnRows(subscriptions, convertedColumns)} as given
     where known.organization_id = ${organizationId} and known.id = given.id and ${which}
       and (known.reporting_mrr_cents, known.reporting_rate) is distinct from (given.cents, given.rate)`
  await writeCounted(tenant, 'subscriptions', { which, statement })
}

/** Makes the records of these subscriptions and their events wait in the CRM, because they tell the reporting currency. */
export async function markRecordsOutdated(
  { sql: transaction, organizationId }: Tenant,
  due: readonly ConvertibleSubscription[],
): Promise<void> {
  const ids = due.map(({ id }) => id)
  const eventIds = due.flatMap(({ events }) => events.map(({ id }) => id))
  await sql`
    select add_outdated(${organizationId}::integer, portal_id, 'subscription', ${ids}::text[]),
           add_outdated(${organizationId}::integer, portal_id, 'event', ${eventIds}::text[])
      from push_marks where organization_id = ${organizationId}`.execute(transaction)
}

/** Whether any subscription is in another currency than the totals, so that amounts are converted. */
export async function hasConverted(tenant: Tenant): Promise<boolean> {
  const { currency } = await getReporting(tenant)
  return currency !== null && (await listOwnCurrencies(tenant)).some((own) => own !== currency)
}

/** The currencies of the organization's subscriptions, ended ones included. */
export async function listOwnCurrencies(tenant: Tenant): Promise<string[]> {
  const rows = await tenant.sql
    .selectFrom('list_totals')
    .select('part')
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .groupBy('part')
    .having(sql<boolean>`sum(row_count) > 0`)
    .orderBy('part')
    .execute()
  return rows.map(({ part }) => part).filter((part) => part !== '')
}
