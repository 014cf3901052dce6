import { sql } from 'kysely'
import type { Sighting } from '#domain/mrr/sighting.ts'
import type { Tenant } from './database.ts'
import { jsonRows } from './json-rows.ts'

/** What was seen of the subscriptions of these customers and stands on no invoice, oldest first. */
export async function listSightings(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<(Sighting & { customerId: string })[]> {
  const { rows } = await sql<Sighting & { customerId: string }>`
    select g.id, g.subscription_id as "subscriptionId", floor(extract(epoch from g.seen_at))::bigint as "seenAt",
           g.state_key as "stateKey", s.customer_id as "customerId"
      from mrr_sightings g
      join subscriptions s on s.organization_id = g.organization_id and s.id = g.subscription_id
     where g.organization_id = ${tenant.organizationId} and s.customer_id = any(${customerIds}::text[])
     order by g.seen_at, g.id`.execute(tenant.sql)
  return rows
}

/** Remembers what was seen, in the transaction of the events made of it. The same id takes the place of the earlier one. */
export async function saveSightings(tenant: Tenant, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return
  await sql`
    insert into mrr_sightings as known (organization_id, id, subscription_id, seen_at, state_key)
    select ${tenant.organizationId}, id, "subscriptionId", to_timestamp("seenAt"), "stateKey"
      from jsonb_to_recordset(${jsonRows(sightings)}::jsonb) as given (
        id text, "subscriptionId" text, "seenAt" bigint, "stateKey" text)
    on conflict (organization_id, id) do update set
      subscription_id = excluded.subscription_id, seen_at = excluded.seen_at, state_key = excluded.state_key
    where (known.subscription_id, known.seen_at, known.state_key)
      is distinct from (excluded.subscription_id, excluded.seen_at, excluded.state_key)`.execute(tenant.sql)
}
