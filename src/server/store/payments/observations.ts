import { sql } from 'kysely'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import {
  fromStoredObservation,
  type StoredObservation,
  toStoredObservation,
} from '#domain/mrr/timeline/stored-observation.ts'
import type { Tenant } from '../postgres/database.ts'
import { jsonRows } from '../postgres/json-rows.ts'

/** What imports observed on these customers' subscriptions, oldest first; skips unreadable ones. */
export async function listObservations(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<Observation[]> {
  const { rows } = await sql<StoredObservation>`
    select id, subscription_id as "subscriptionId", floor(extract(epoch from seen_at))::bigint as "seenAt",
           state_key as "stateKey"
      from mrr_sightings
     where organization_id = ${tenant.organizationId}
       and subscription_id = any(array(
         select id from subscriptions
          where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])))
     order by seen_at, id`.execute(tenant.sql)
  return rows.map(fromStoredObservation).filter((observation) => observation !== undefined)
}

/** Saves observations in the transaction of the events made from them. The same id replaces the earlier one. */
export async function saveObservations(tenant: Tenant, observations: readonly Observation[]): Promise<void> {
  if (observations.length === 0) return
  await sql`
    insert into mrr_sightings as known (organization_id, id, subscription_id, seen_at, state_key)
    select ${tenant.organizationId}, id, "subscriptionId", to_timestamp("seenAt"), "stateKey"
      from jsonb_to_recordset(${jsonRows(observations.map(toStoredObservation))}::jsonb) as given (
        id text, "subscriptionId" text, "seenAt" bigint, "stateKey" text)
    on conflict (organization_id, id) do update set
      subscription_id = excluded.subscription_id, seen_at = excluded.seen_at, state_key = excluded.state_key
    where (known.subscription_id, known.seen_at, known.state_key)
      is distinct from (excluded.subscription_id, excluded.seen_at, excluded.state_key)`.execute(tenant.sql)
}

/** Deletes the observations on these customers' subscriptions. */
export async function deleteObservations(tenant: Tenant, customerIds: readonly string[]): Promise<void> {
  if (customerIds.length === 0) return
  await sql`
    delete from mrr_sightings g using subscriptions s
     where g.organization_id = ${tenant.organizationId} and s.organization_id = ${tenant.organizationId}
       and s.id = g.subscription_id and s.customer_id = any(${customerIds}::text[])`.execute(tenant.sql)
}
