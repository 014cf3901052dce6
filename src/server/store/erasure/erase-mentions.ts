import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { PersonInCrm } from './erasures.ts'

/** Words that belonged to only one person, in lower case. */
export type OwnWords = { names: readonly string[]; addresses: readonly string[]; hosts: readonly string[] }

/** Texts for people, which may mention a name or an address. */
const texts: readonly (readonly [table: string, column: string])[] = [
  ['audit_log', 'subject'],
  ['crm_associations', 'error'],
  ['crm_links', 'error'],
  ['match_rules', 'company_name'],
  ['matches', 'company_name'],
  ['matches', 'contact_problem'],
  ['recount_records', 'label'],
  ['run_errors', 'message'],
  ['run_logs', 'line'],
  ['runs', 'error'],
  ['runs', 'message'],
]

/** Shorter names occur inside too many other words. */
const nameMinLength = 3

/** Replaces every mention in texts for people by the pseudonym; returns the number of changed texts. */
export async function eraseMentions(
  tenant: Tenant,
  { names, addresses, hosts }: OwnWords,
  pseudonym: string,
): Promise<number> {
  const longEnough = names.filter(({ length }) => length >= nameMinLength)
  const words = { addresses, others: [...longEnough, ...hosts].toSorted((a, b) => b.length - a.length) }
  if (words.addresses.length + words.others.length === 0) return 0
  let changed = await deleteViewsOf(tenant, words)
  const pattern = mentionOf(words, '[:alnum:]', (word) =>
    word.replace(/[^\p{L}\p{N}]/gu, (sign) => (/\s/.test(sign) ? '\\s' : `\\${sign}`)),
  )
  for (const [table, column] of texts) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)}
         set ${sql.ref(column)} = regexp_replace(${sql.ref(column)}, ${pattern}, ${pseudonym}, 'gi')
       where organization_id = ${tenant.organizationId} and ${sql.ref(column)} ~* ${pattern}`.execute(
      tenant.sql,
    )
    changed += Number(numAffectedRows ?? 0n)
  }
  return changed
}

type Words = { addresses: readonly string[]; others: readonly string[] }

/** A pattern for each word as a whole: a longer word, or a longer address that has this one inside, is another's. */
function mentionOf({ addresses, others }: Words, letters: string, escaped: (word: string) => string): string {
  return [
    ...addresses.map((word) => `(?<![${letters}.+-])${escaped(word)}(?![-.]?[${letters}])`),
    ...others.map((word) => `(?<![${letters}])${escaped(word)}(?![${letters}])`),
  ].join('|')
}

/** Deletes people's saved views that search for one of the words, or have it in their name. */
async function deleteViewsOf(tenant: Tenant, words: Words): Promise<number> {
  const { rows } = await sql<{ user_id: number; list: string; name: string; query: string }>`
    select user_id, list, name, query from list_views where organization_id = ${tenant.organizationId}`.execute(
    tenant.sql,
  )
  const escaped = (word: string) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
  const pattern = new RegExp(mentionOf(words, '\\p{L}\\p{N}', escaped), 'iu')
  const found = rows.filter(({ name, query }) =>
    [name, ...new URLSearchParams(query).values()].some((text) => pattern.test(text)),
  )
  for (const { user_id, list, name } of found)
    await sql`
      delete from list_views where organization_id = ${tenant.organizationId} and user_id = ${user_id}
         and list = ${list} and name = ${name}`.execute(tenant.sql)
  return found.length
}

/** Deletes matching data of these customers, except the linked company, because revenue is attributed by it. */
export async function eraseMatches(tenant: Tenant, ids: readonly string[]): Promise<void> {
  await sql`
    update matches set candidates = '[]', contact_problem_email = null, contact_for = null, revision = revision + 1
     where organization_id = ${tenant.organizationId} and customer_id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
}

/**
 * The customer's contact and company in the current portal. A company is included only if we created it for this
 * customer and the index already has the pseudonym, so that it bears nobody else's name.
 */
export async function findInCrm(
  tenant: Tenant,
  customerId: string,
  pseudonym: string,
): Promise<PersonInCrm | null> {
  const { rows } = await sql<PersonInCrm>`
    select portal_id as "portalId", contact_record_id as "contactRecordId",
           case when evidence = 'created' and company_name = ${pseudonym} then company_record_id end as "companyRecordId"
      from matches
     where organization_id = ${tenant.organizationId} and customer_id = ${customerId}
       and portal_id = current_portal(${tenant.organizationId})`.execute(tenant.sql)
  const found = rows[0]
  return found && (found.contactRecordId ?? found.companyRecordId) !== null ? found : null
}

/** Whether a customer that is not erased is linked to the company, by whose domain others are found. */
export function isCompanyOfOthers(tenant: Tenant, portalId: string, recordId: string): Promise<boolean> {
  return isOfOthers(tenant, portalId, sql`m.state = 'linked' and m.company_record_id = ${recordId}`)
}

/** Whether the contact is that of a customer who is not erased. */
export function isContactOfOthers(tenant: Tenant, portalId: string, recordId: string): Promise<boolean> {
  return isOfOthers(tenant, portalId, sql`m.contact_record_id = ${recordId}`)
}

async function isOfOthers(tenant: Tenant, portalId: string, isIts: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select from matches m join customers c on c.organization_id = m.organization_id and c.id = m.customer_id
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and ${isIts} and c.erasure_id is null limit 1`.execute(tenant.sql)
  return rows.length > 0
}

/**
 * Removes the person's words from the CRM index. The records stay, because their existence is not personal, and
 * linked customers stay linked. Returns the customers whose company has a new name.
 */
export async function eraseFromIndex(
  tenant: Tenant,
  { names, addresses, hosts }: OwnWords,
  pseudonym: string,
): Promise<{ records: number; renamedIds: string[] }> {
  const { organizationId } = tenant
  const contacts = await sql`
    update crm_contacts set emails = (select coalesce(array_agg(one), '{}') from unnest(emails) as one
                                       where lower(one) <> all(${addresses}::text[]))
     where organization_id = ${organizationId} and emails && ${addresses}::text[]`.execute(tenant.sql)
  const without = (column: 'domains' | 'registrable_domains') => sql`
    (select coalesce(array_agg(one), '{}') from unnest(${sql.ref(column)}) as one
      where lower(one) <> all(${hosts}::text[]))`
  const companies = await sql`
    update crm_companies set name = ${pseudonym},
                             created_for = case when lower(created_for) <> all(${hosts}::text[]) then created_for end,
                             domains = ${without('domains')},
                             registrable_domains = ${without('registrable_domains')},
                             created_at = null, contact_count = null, deal_count = null, last_activity_at = null
     where organization_id = ${organizationId}
       and (lower(btrim(name)) = any(${names}::text[]) or domains && ${hosts}::text[]
            or registrable_domains && ${hosts}::text[] or lower(created_for) = any(${hosts}::text[]))`.execute(
    tenant.sql,
  )
  const { rows: renamed } = await sql<{ id: string }>`
    update matches m set company_name = ${pseudonym}, revision = revision + 1 from crm_companies i
     where m.organization_id = ${organizationId} and i.organization_id = ${organizationId}
       and i.portal_id = m.portal_id and i.record_id = m.company_record_id and i.name = ${pseudonym}
    returning m.customer_id as id`.execute(tenant.sql)
  await sql`
    delete from match_rules where organization_id = ${organizationId} and domain = any(${hosts}::text[])`.execute(
    tenant.sql,
  )
  // Companies that were suggested to other customers by this person's name or domain.
  await sql`
    update matches m set revision = revision + 1,
      candidates = (select coalesce(jsonb_agg(case when lower(one ->> 'name') = any(${names}::text[])
                                                then one || jsonb_build_object('name', ${pseudonym}::text) else one end),
                                    '[]')
                      from jsonb_array_elements(candidates) as one)
     where organization_id = ${organizationId}
       and exists (select from jsonb_array_elements(candidates) as one
                    where lower(one ->> 'name') = any(${names}::text[]))`.execute(tenant.sql)
  return {
    records: Number(contacts.numAffectedRows ?? 0n) + Number(companies.numAffectedRows ?? 0n),
    renamedIds: renamed.map(({ id }) => id),
  }
}
