import { sql } from 'kysely'
import type { MatchCandidate, MatchEvidence } from '#domain/company.ts'
import type { Tenant } from './database.ts'
import { storableJson } from './json-rows.ts'

export type MatchRow = {
  customerId: string
  state: 'linked' | 'pending' | 'ignored'
  companyRecordId: string | null
  companyName: string | null
  contactRecordId: string | null
  evidence: MatchEvidence
  candidates: MatchCandidate[]
}

/** A customer whose company or contact is not known yet. */
export type OpenCustomer = {
  customerId: string
  name: string | null
  email: string | null
  /** What is known in this portal so far. */
  match: Omit<MatchRow, 'customerId' | 'candidates'> | null
}

/** Customers that pay or paid for something: only they have anything to push. */
const isPaying = sql<boolean>`(
  exists (select from subscriptions s where s.organization_id = c.organization_id and s.customer_id = c.id)
  or exists (select from events e where e.organization_id = c.organization_id and e.customer_id = c.id))`

/**
 * Customers after `afterId`, by id, that have no company, or no contact, in the portal. What was decided stays as it is;
 * the caller only fills in what is open.
 */
export async function listOpenCustomers(
  tenant: Tenant,
  portalId: string,
  afterId: string,
  limit: number,
): Promise<OpenCustomer[]> {
  const { rows } = await sql<{
    id: string
    name: string | null
    email: string | null
    state: MatchRow['state'] | null
    company_record_id: string | null
    company_name: string | null
    contact_record_id: string | null
    evidence: MatchEvidence | null
  }>`
    select c.id, c.name, c.email, m.state, m.company_record_id, m.company_name, m.contact_record_id, m.evidence
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                         and m.portal_id = ${portalId}
     where c.organization_id = ${tenant.organizationId} and c.id > ${afterId}
       and (m.state is null or m.state = 'pending' or (m.state = 'linked' and m.contact_record_id is null))
       and ${isPaying}
     order by c.id limit ${limit}`.execute(tenant.sql)
  return rows.map((row) => ({
    customerId: row.id,
    name: row.name,
    email: row.email,
    match: row.state && {
      state: row.state,
      companyRecordId: row.company_record_id,
      companyName: row.company_name,
      contactRecordId: row.contact_record_id,
      evidence: row.evidence ?? 'no_candidate',
    },
  }))
}

/** Whether a paying customer was never looked for in the portal. */
export async function hasUnmatched(tenant: Tenant, portalId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from customers c
       where c.organization_id = ${tenant.organizationId} and ${isPaying}
         and (select true from matches m
               where m.organization_id = c.organization_id and m.customer_id = c.id
                 and m.portal_id = ${portalId}) is null) as has`.execute(tenant.sql)
  return rows[0]?.has ?? false
}

/** Writes what a run found. A match that a person or an earlier run decided meanwhile keeps its company. */
export async function saveMatches(
  tenant: Tenant,
  portalId: string,
  matches: readonly MatchRow[],
  at: Date,
): Promise<void> {
  if (matches.length === 0) return
  await sql`
    insert into matches as known
      (organization_id, customer_id, portal_id, state, company_record_id, company_name, contact_record_id, evidence,
       candidates, updated_at)
    select ${tenant.organizationId}, "customerId", ${portalId}, state, "companyRecordId", "companyName",
           "contactRecordId", evidence, candidates, ${at}
      from jsonb_to_recordset(${storableJson(matches)}::jsonb) as given (
        "customerId" text, state text, "companyRecordId" text, "companyName" text, "contactRecordId" text,
        evidence text, candidates jsonb)
     order by "customerId"
    on conflict (organization_id, customer_id) do update set
      portal_id = excluded.portal_id, state = excluded.state, company_record_id = excluded.company_record_id,
      company_name = excluded.company_name, contact_record_id = excluded.contact_record_id,
      evidence = excluded.evidence, candidates = excluded.candidates, updated_at = excluded.updated_at
    where known.portal_id <> excluded.portal_id or known.state = 'pending'
       or (known.state = 'linked' and known.contact_record_id is null
           and known.company_record_id is not distinct from excluded.company_record_id)`.execute(tenant.sql)
}

/**
 * Records that were merged in the CRM live on under another id: matches follow them, and associations with the old id are
 * forgotten. They are made anew; to take them back could take those of the other id, to which the old one leads.
 */
export async function followMerge(
  tenant: Tenant,
  portalId: string,
  column: 'company_record_id' | 'contact_record_id',
  merges: readonly { recordId: string; mergedIds: readonly string[] }[],
): Promise<number> {
  const pairs = merges.flatMap(({ recordId, mergedIds }) => mergedIds.map((from) => ({ from, to: recordId })))
  if (pairs.length === 0) return 0
  const given = sql`jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as given ("from" text, "to" text)`
  const { numAffectedRows } = await sql`
    update matches set ${sql.ref(column)} = given."to"
      from ${given}
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and ${sql.ref(column)} = given."from"`.execute(tenant.sql)
  const moved = Number(numAffectedRows ?? 0)
  if (moved === 0) return 0
  const target = column === 'company_record_id' ? 'company' : 'contact'
  await sql`
    delete from crm_associations a using ${given}
     where a.organization_id = ${tenant.organizationId} and a.portal_id = ${portalId} and a.target_kind = ${target}
       and a.target_record_id = given."from"`.execute(tenant.sql)
  return moved
}

/** Customers that wait for a person. */
export async function countPendingMatches(tenant: Tenant): Promise<number> {
  const counted = await tenant.sql
    .selectFrom('matches')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return counted.count
}
