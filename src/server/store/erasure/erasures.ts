import { type Selectable, sql } from 'kysely'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import type { Erasures } from '../postgres/tables.ts'

export const erasureReasons = ['asked', 'redacted', 'deleted'] as const
export type ErasureReason = (typeof erasureReasons)[number]
export type ErasureRow = Selectable<Erasures>

/** A kind of word that belonged to a person: an email address, a name, or a host that was only theirs. */
export type WordKind = 'address' | 'name' | 'host'
export type HashedWord = { kind: WordKind; hash: string }

/** The sealed key of the organization's hashes; undefined if nobody was ever erased. */
export async function findErasureKey(tenant: Tenant): Promise<string | undefined> {
  const { rows } = await sql<{ sealed_secret: string }>`${prepared}
    select sealed_secret from erasure_keys where organization_id = ${tenant.organizationId}`.execute(
    tenant.sql,
  )
  return rows[0]?.sealed_secret
}

/** Saves a key unless one exists; returns the valid key. */
export async function keepErasureKey(tenant: Tenant, sealedSecret: string): Promise<string> {
  await tenant.sql
    .insertInto('erasure_keys')
    .values({ organization_id: tenant.organizationId, sealed_secret: sealedSecret })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute()
  return (await findErasureKey(tenant)) ?? sealedSecret
}

/** The ids among these that were erased, with their pseudonyms. */
export async function findErased(tenant: Tenant, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; pseudonym: string }>`
    select id, pseudonym from erasures
     where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])`.execute(tenant.sql)
  return new Map(rows.map(({ id, pseudonym }) => [id, pseudonym]))
}

/** The hashes among these that belong to words of erased people, with the pseudonym. */
export async function findErasedWords(
  tenant: Tenant,
  kind: WordKind,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ hash: string; pseudonym: string }>`
    select w.hash, e.pseudonym from erased_words w
      join erasures e on e.organization_id = w.organization_id and e.id = w.erasure_id
     where w.organization_id = ${tenant.organizationId} and w.kind = ${kind} and w.hash = any(${hashes}::text[])`.execute(
    tenant.sql,
  )
  return new Map(rows.map(({ hash, pseudonym }) => [hash, pseudonym]))
}

/** Whether we remember any word of an erased person. */
export async function hasErasures(tenant: Tenant): Promise<boolean> {
  return (await findErasureKey(tenant)) !== undefined
}

/** What represents a person in a portal: a contact, and a company that we created for nobody else. */
export type PersonInCrm = {
  portalId: string
  contactRecordId: string | null
  companyRecordId: string | null
}

export type NewErasure = {
  id: string
  pseudonym: string
  reason: ErasureReason
  counts: Readonly<Record<string, number>>
  inCrm: PersonInCrm | null
  words: readonly HashedWord[]
}

/** Remembers an erasure. A repeated erasure only adds to what was remembered. */
export async function saveErasure(tenant: Tenant, erasure: NewErasure, at: Date): Promise<void> {
  const { organizationId } = tenant
  await tenant.sql
    .insertInto('erasures')
    .values({
      organization_id: organizationId,
      id: erasure.id,
      pseudonym: erasure.pseudonym,
      reason: erasure.reason,
      erased_at: at,
      counts: JSON.stringify(erasure.counts),
      crm_portal_id: erasure.inCrm?.portalId ?? null,
      crm_contact_record_id: erasure.inCrm?.contactRecordId ?? null,
      crm_company_record_id: erasure.inCrm?.companyRecordId ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'id']).doUpdateSet({ crm_rewritten_at: null }),
    )
    .execute()
  await addErasedWords(tenant, erasure.id, erasure.words)
}

/** Keeps the keyed hashes by which an erased person is recognized in a later import. */
export async function addErasedWords(
  tenant: Tenant,
  erasureId: string,
  words: readonly HashedWord[],
): Promise<void> {
  if (words.length === 0) return
  await sql`
    insert into erased_words (organization_id, kind, hash, erasure_id)
    select ${tenant.organizationId}, kind, hash, ${erasureId}
      from jsonb_to_recordset(${storableJson(words)}::jsonb) as given (kind text, hash text)
    on conflict do nothing`.execute(tenant.sql)
}

/** The newest first. */
export function listErasures(tenant: Tenant, limit: number): Promise<ErasureRow[]> {
  return tenant.sql
    .selectFrom('erasures')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('erased_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function findErasure(tenant: Tenant, id: string): Promise<ErasureRow | undefined> {
  return tenant.sql
    .selectFrom('erasures')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The hashes of an erasure's words, for a list that outlives this database. */
export async function listErasedWords(tenant: Tenant, erasureId: string): Promise<HashedWord[]> {
  const { rows } = await sql<HashedWord>`
    select kind, hash from erased_words
     where organization_id = ${tenant.organizationId} and erasure_id = ${erasureId} order by kind, hash`.execute(
    tenant.sql,
  )
  return rows
}

/**
 * Called after a push: marks erasures whose records in the portal were all rewritten since. A refused or unwritten
 * record keeps its erasure waiting.
 */
export async function noteRewritten(tenant: Tenant, at: Date): Promise<void> {
  await sql`
    update erasures e set crm_rewritten_at = ${at}
     where e.organization_id = ${tenant.organizationId} and e.crm_rewritten_at is null
       and not exists (
         select from customers c
           join subscriptions s on s.organization_id = c.organization_id and s.customer_id = c.id
           join crm_links l on l.organization_id = s.organization_id and l.portal_id = ${currentPortal(tenant)}
                           and (l.subscription_id = s.id or (l.kind = 'subscription' and l.source_id = s.id))
          where c.organization_id = e.organization_id and c.erasure_id = e.id
            and l.record_id is not null and l.state <> 'removed' and l.confirmed_hash is null)`.execute(
    tenant.sql,
  )
}

/** Records that the CRM permanently deleted the person's records, and forgets the contact's id. */
export async function noteDeletedInCrm(
  tenant: Tenant,
  id: string,
  { portalId, contactRecordId }: PersonInCrm,
  at: Date,
): Promise<void> {
  const { organizationId } = tenant
  await tenant.sql
    .updateTable('erasures')
    .set({
      crm_deleted_at: at,
      crm_portal_id: null,
      crm_contact_record_id: null,
      crm_company_record_id: null,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  if (contactRecordId === null) return
  const ofPortal = sql`organization_id = ${organizationId} and portal_id = ${portalId}`
  await sql`delete from crm_contacts where ${ofPortal} and record_id = ${contactRecordId}`.execute(tenant.sql)
  await sql`
    delete from crm_associations
     where ${ofPortal} and target_kind = 'contact' and target_record_id = ${contactRecordId}`.execute(
    tenant.sql,
  )
  await sql`
    update matches set contact_record_id = null, revision = revision + 1
     where ${ofPortal} and contact_record_id = ${contactRecordId}`.execute(tenant.sql)
}

/** The known customers among these that are not erased; with `deletedAlone`, only the deleted ones. */
export async function listUnerasedAmong(
  tenant: Tenant,
  ids: readonly string[],
  deletedAlone: boolean,
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from customers
     where organization_id = ${tenant.organizationId} and id = any(${ids}::text[]) and erasure_id is null
       and (is_deleted or not ${deletedAlone}::boolean)
     order by id`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Customers that must be erased because they were deleted at the payment provider. */
export async function listDeletedDue(tenant: Tenant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers
     where organization_id = ${tenant.organizationId} and erasure_id is null and is_deleted and exists (
             select from organization_settings o
              where o.organization_id = ${tenant.organizationId} and o.erases_deleted_customers)
     order by id limit ${limit}`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Counts the customers that were deleted at the payment provider and are not erased, whatever the setting. */
export async function countDeleted(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from customers
     where organization_id = ${tenant.organizationId} and erasure_id is null and is_deleted`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}

/** Customers after an id that are not erased. */
export async function listUnerasedIds(
  tenant: Tenant,
  page: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers
     where organization_id = ${tenant.organizationId} and erasure_id is null and id > ${page.after}
     order by id limit ${page.limit}`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}
