import { sql } from 'kysely'
import type { CompanyCandidate } from '#domain/company.ts'
import type { Tenant } from './database.ts'
import { storableJson } from './json-rows.ts'

/** A contact of the portal as the last listing saw it; addresses in lower case. */
export type IndexedContact = {
  recordId: string
  emails: string[]
  companyRecordIds: string[]
}

export async function saveCompanies(
  tenant: Tenant,
  portalId: string,
  companies: readonly CompanyCandidate[],
  at: Date,
): Promise<void> {
  if (companies.length === 0) return
  await sql`
    insert into crm_companies (organization_id, portal_id, record_id, name, domains, registrable_domains, listed_at)
    select distinct on ("recordId")
           ${tenant.organizationId}, ${portalId}, "recordId", name, domains, "registrableDomains", ${at}
      from jsonb_to_recordset(${storableJson(companies)}::jsonb) as given (
        "recordId" text, name text, domains text[], "registrableDomains" text[])
     order by "recordId"
    on conflict (organization_id, portal_id, record_id) do update set
      name = excluded.name, domains = excluded.domains, registrable_domains = excluded.registrable_domains,
      listed_at = excluded.listed_at`.execute(tenant.sql)
}

export async function saveContacts(
  tenant: Tenant,
  portalId: string,
  contacts: readonly IndexedContact[],
  at: Date,
): Promise<void> {
  if (contacts.length === 0) return
  await sql`
    insert into crm_contacts (organization_id, portal_id, record_id, emails, company_record_ids, listed_at)
    select distinct on ("recordId")
           ${tenant.organizationId}, ${portalId}, "recordId", emails, "companyRecordIds", ${at}
      from jsonb_to_recordset(${storableJson(contacts)}::jsonb) as given (
        "recordId" text, emails text[], "companyRecordIds" text[])
     order by "recordId"
    on conflict (organization_id, portal_id, record_id) do update set
      emails = excluded.emails, company_record_ids = excluded.company_record_ids,
      listed_at = excluded.listed_at`.execute(tenant.sql)
}

/** After a complete listing: what it did not see is gone from the portal. */
export async function forgetUnlisted(
  tenant: Tenant,
  portalId: string,
  table: 'crm_companies' | 'crm_contacts',
  listedFrom: Date,
): Promise<void> {
  await tenant.sql
    .deleteFrom(table)
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('listed_at', '<', listedFrom)
    .execute()
}

/** Takes records out that are known to be gone from the portal. */
export async function forgetGone(
  tenant: Tenant,
  portalId: string,
  table: 'crm_companies' | 'crm_contacts',
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return
  await tenant.sql
    .deleteFrom(table)
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('record_id', 'in', [...recordIds])
    .execute()
}

/**
 * Companies that name one of the domains, as their host or as its registrable domain, that have one of the ids, or one of
 * the names (lower case).
 */
export async function listCandidateCompanies(
  tenant: Tenant,
  portalId: string,
  wanted: { domains: readonly string[]; recordIds: readonly string[]; names: readonly string[] },
): Promise<CompanyCandidate[]> {
  const { rows } = await sql<CompanyCandidate>`
    select record_id as "recordId", name, domains, registrable_domains as "registrableDomains" from crm_companies
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and (domains && ${wanted.domains}::text[] or registrable_domains && ${wanted.domains}::text[]
            or record_id = any(${wanted.recordIds}::text[]) or lower(name) = any(${wanted.names}::text[]))
     order by record_id collate "C"`.execute(tenant.sql)
  return rows
}

export async function listContactsByEmail(
  tenant: Tenant,
  portalId: string,
  emails: readonly string[],
): Promise<IndexedContact[]> {
  const { rows } = await sql<IndexedContact>`
    select record_id as "recordId", emails, company_record_ids as "companyRecordIds" from crm_contacts
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and emails && ${emails}::text[]
     order by record_id collate "C"`.execute(tenant.sql)
  return rows
}

export async function findIndexedCompany(
  tenant: Tenant,
  portalId: string,
  recordId: string,
): Promise<CompanyCandidate | undefined> {
  const [found] = await listCandidateCompanies(tenant, portalId, {
    domains: [],
    names: [],
    recordIds: [recordId],
  })
  return found
}

/** Which of the hosts belong to customers of more than `namesMax` different names. */
export async function listSharedHosts(
  tenant: Tenant,
  hosts: readonly string[],
  namesMax: number,
): Promise<Set<string>> {
  if (hosts.length === 0) return new Set()
  const { rows } = await sql<{ domain: string }>`
    select domain from customers
     where organization_id = ${tenant.organizationId} and not is_deleted and domain = any(${hosts}::text[])
     group by domain
    having count(distinct lower(btrim(name))) > ${namesMax}`.execute(tenant.sql)
  return new Set(rows.map(({ domain }) => domain))
}
