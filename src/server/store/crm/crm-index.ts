import { type RawBuilder, sql } from 'kysely'
import { type CompanyCandidate, type CompanyFacts, noCompanyFacts } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { type DeletedKind, forgetDeleted, indexTables, rememberDeleted } from './crm-deleted.ts'

/** A contact of the portal as the last listing returned it; addresses in lower case. */
export type IndexedContact = {
  recordId: string
  emails: string[]
  companyRecordIds: string[]
  /** The company that the CRM marks as primary, if we read it. */
  primaryCompanyId?: string | null
}

/** Writes companies of the portal into the index, and their names on customers and rules; `at` is when they were listed. */
export async function saveCompanies(
  tenant: Tenant,
  portalId: string,
  companies: readonly CompanyCandidate[],
  at: Date,
): Promise<void> {
  if (companies.length === 0) return
  const rows = companies.map(({ facts, ...company }) => ({ ...company, ...(facts ?? noCompanyFacts) }))
  const given = sql`jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (
    "recordId" text, name text, domains text[], "registrableDomains" text[], "createdFor" text,
    "createdAt" timestamptz, "contactCount" integer, "dealCount" integer, "lastActivityAt" timestamptz)`
  const { rows: renamed } = await sql<{ recordId: string }>`
    select "recordId" from ${given}
      left join crm_companies i on i.organization_id = ${tenant.organizationId} and i.portal_id = ${portalId}
                               and i.record_id = "recordId"
     where i.record_id is null or i.name is distinct from given.name`.execute(tenant.sql)
  await sql`
    insert into crm_companies
      (organization_id, portal_id, record_id, name, domains, registrable_domains, created_for,
       created_at, contact_count, deal_count, last_activity_at, listed_at)
    select distinct on ("recordId")
           ${tenant.organizationId}, ${portalId}, "recordId", name, domains, "registrableDomains", "createdFor",
           "createdAt", "contactCount", "dealCount", "lastActivityAt", ${at}
      from ${given}
     order by "recordId"
    on conflict (organization_id, portal_id, record_id) do update set
      name = excluded.name, domains = excluded.domains, registrable_domains = excluded.registrable_domains,
      created_for = excluded.created_for, created_at = excluded.created_at, contact_count = excluded.contact_count,
      deal_count = excluded.deal_count, last_activity_at = excluded.last_activity_at,
      listed_at = excluded.listed_at`.execute(tenant.sql)
  const recordIds = renamed.map(({ recordId }) => recordId)
  await nameAnew(tenant, portalId, recordIds)
  const standing = companies.flatMap(({ domains, createdFor }) => [
    ...domains,
    ...(createdFor ? [createdFor] : []),
  ])
  await forgetDeleted(tenant, portalId, 'company', standing)
}

/** Customers and rules show the company's current name in the CRM. */
export async function nameAnew(
  tenant: Tenant,
  portalId: string,
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return
  const isOf = (table: 'matches' | 'match_rules') => sql`
    ${sql.table(table)}.organization_id = ${tenant.organizationId} and ${sql.table(table)}.portal_id = ${portalId}
    and i.organization_id = ${sql.table(table)}.organization_id and i.portal_id = ${sql.table(table)}.portal_id
    and i.record_id = ${sql.table(table)}.company_record_id and i.record_id = any(${recordIds}::text[])
    and ${sql.table(table)}.company_name is distinct from i.name`
  await sql`
    update matches set company_name = i.name, revision = revision + 1 from crm_companies i
     where ${isOf('matches')}`.execute(tenant.sql)
  await sql`
    update match_rules set company_name = i.name from crm_companies i where ${isOf('match_rules')}`.execute(
    tenant.sql,
  )
}

/** Writes contacts of the portal into the index; `at` is when they were listed. */
export async function saveContacts(
  tenant: Tenant,
  portalId: string,
  contacts: readonly IndexedContact[],
  at: Date,
): Promise<void> {
  if (contacts.length === 0) return
  await sql`
    insert into crm_contacts
      (organization_id, portal_id, record_id, emails, company_record_ids, primary_company_id, listed_at)
    select distinct on ("recordId")
           ${tenant.organizationId}, ${portalId}, "recordId", emails, "companyRecordIds", "primaryCompanyId", ${at}
      from jsonb_to_recordset(${storableJson(contacts)}::jsonb) as given (
        "recordId" text, emails text[], "companyRecordIds" text[], "primaryCompanyId" text)
     order by "recordId"
    on conflict (organization_id, portal_id, record_id) do update set
      emails = excluded.emails, company_record_ids = excluded.company_record_ids,
      primary_company_id = excluded.primary_company_id, listed_at = excluded.listed_at`.execute(tenant.sql)
  const addresses = contacts.flatMap(({ emails }) => emails)
  await forgetDeleted(tenant, portalId, 'contact', addresses)
}

/** The records that a complete listing, which started at `listedFrom`, did not contain. */
export async function listUnlisted(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  listedFrom: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select record_id as id from ${sql.table(indexTables[kind])}
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and listed_at < ${listedFrom}
     order by record_id collate "C"`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Removes the records among these that were not read since `listedFrom`, and remembers them as deleted. */
export function forgetUnlisted(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  listedFrom: Date,
  at: Date,
): Promise<void> {
  return forget(tenant, portalId, kind, sql<boolean>`listed_at < ${listedFrom}`, at)
}

/** Removes records that are known to be deleted. */
export async function forgetGone(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  recordIds: readonly string[],
  at: Date,
): Promise<void> {
  if (recordIds.length === 0) return
  await forget(tenant, portalId, kind, sql<boolean>`record_id = any(${recordIds}::text[])`, at)
}

async function forget(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  condition: RawBuilder<boolean>,
  at: Date,
): Promise<void> {
  await rememberDeleted(tenant, portalId, kind, condition, at)
  await sql`
    delete from ${sql.table(indexTables[kind])}
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and ${condition}`.execute(
    tenant.sql,
  )
}

/**
 * Companies that have one of the domains as host or registrable domain, that we created for one, or that have one of
 * the ids or lower-case names.
 */
export async function listCandidateCompanies(
  tenant: Tenant,
  portalId: string,
  wanted: { domains: readonly string[]; recordIds: readonly string[]; names: readonly string[] },
): Promise<CompanyCandidate[]> {
  const keys = [...wanted.domains.map((domain) => `d${domain}`), ...wanted.names.map((name) => `n${name}`)]
  const { rows } = await sql<Omit<CompanyCandidate, 'facts'> & CompanyFacts>`
    select record_id as "recordId", name, domains, registrable_domains as "registrableDomains",
           created_for as "createdFor", created_at as "createdAt", contact_count as "contactCount",
           deal_count as "dealCount", last_activity_at as "lastActivityAt"
      from crm_companies
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and record_id = any(${withKeys(tenant, portalId, 'company', keys)} || ${wanted.recordIds}::text[])
       and (domains && ${wanted.domains}::text[] or registrable_domains && ${wanted.domains}::text[]
            or created_for = any(${wanted.domains}::text[])
            or record_id = any(${wanted.recordIds}::text[]) or lower(name) = any(${wanted.names}::text[]))
     order by record_id collate "C"`.execute(tenant.sql)
  return rows.map(({ createdAt, contactCount, dealCount, lastActivityAt, ...company }) => ({
    ...company,
    facts: { createdAt, contactCount, dealCount, lastActivityAt },
  }))
}

/**
 * Companies whose names begin with one of these, in lower case; at most 100 for each. A legal form at the end of a name
 * hides no company, but one at its beginning does.
 */
export async function listCompaniesNamedLike(
  tenant: Tenant,
  portalId: string,
  beginnings: readonly string[],
): Promise<CompanyCandidate[]> {
  // The next keys in the order of the index, because it does not serve a beginning that is not a constant.
  const { rows } = await sql<{ id: string }>`
    select near.record_id as id from unnest(${beginnings}::text[]) as beginning
     cross join lateral (
       select k.key, k.record_id from crm_keys k
        where k.organization_id = ${tenant.organizationId} and k.portal_id = ${portalId} and k.object = 'company'
          and k.key >= 'n' || beginning
        order by k.key limit 100) as near
     where near.key ^@ ('n' || beginning)`.execute(tenant.sql)
  return listCompanies(
    tenant,
    portalId,
    rows.map(({ id }) => id),
  )
}

/** The contacts of the index that have any of these addresses, in lower case. */
export async function listContactsByEmail(
  tenant: Tenant,
  portalId: string,
  emails: readonly string[],
): Promise<IndexedContact[]> {
  const keys = emails.map((email) => `e${email}`)
  const { rows } = await sql<IndexedContact>`
    select record_id as "recordId", emails, company_record_ids as "companyRecordIds",
           primary_company_id as "primaryCompanyId"
      from crm_contacts
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and record_id = any(${withKeys(tenant, portalId, 'contact', keys)})
       and emails && ${emails}::text[]
     order by record_id collate "C"`.execute(tenant.sql)
  return rows
}

/** The ids of the records that have one of the keys. */
function withKeys(tenant: Tenant, portalId: string, object: DeletedKind, keys: readonly string[]) {
  // The keys of long texts are cut.
  const cut = keys.map((key) => [...key].slice(0, 500).join(''))
  return sql`array(
    select k.record_id from crm_keys k
     where k.organization_id = ${tenant.organizationId} and k.portal_id = ${portalId} and k.object = ${object}
       and k.key = any(${cut}::text[]))`
}

/** The companies of the index with these ids. */
export function listCompanies(
  tenant: Tenant,
  portalId: string,
  recordIds: readonly string[],
): Promise<CompanyCandidate[]> {
  return listCandidateCompanies(tenant, portalId, { domains: [], names: [], recordIds })
}

/** The current CRM names of companies that are in the index. */
export async function listCompanyNames(
  tenant: Tenant,
  portalId: string,
  recordIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (recordIds.length === 0) return new Map()
  const rows = await tenant.sql
    .selectFrom('crm_companies')
    .select(['record_id as recordId', 'name'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('record_id', 'in', [...recordIds])
    .execute()
  return new Map(rows.map(({ recordId, name }) => [recordId, name]))
}

/** The hosts among these whose customers have more than `namesMax` different names. */
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

/** The names of all customers with an address at one of the hosts. */
export async function listNamesOfHosts(
  tenant: Tenant,
  hosts: readonly string[],
): Promise<{ host: string; name: string }[]> {
  if (hosts.length === 0) return []
  const { rows } = await sql<{ host: string; name: string }>`
    select distinct domain as host, name from customers
     where organization_id = ${tenant.organizationId} and not is_deleted and domain = any(${hosts}::text[])
       and name is not null`.execute(tenant.sql)
  return rows
}
