import { type RawBuilder, sql } from 'kysely'
import type { MatchCandidate, MatchEvidence, MatchState } from '#domain/company.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { countListed, writeCounted } from '../totals/list-totals.ts'

export type MatchRow = {
  customerId: string
  state: MatchState
  companyRecordId: string | null
  companyName: string | null
  contactRecordId: string | null
  /** The customer's address for which we last searched a contact; null in rows older than this column. */
  contactFor: string | null
  evidence: MatchEvidence
  candidates: MatchCandidate[]
  /** Why we do not create the contact of `contactProblemEmail`; null if nothing prevents it. */
  contactProblem: string | null
  contactProblemEmail: string | null
  /** The revision that was read; 0 for a match that did not exist. */
  revision: number
}

/** A customer whose company or contact is unknown so far. */
export type OpenCustomer = {
  customerId: string
  name: string | null
  email: string | null
  /** What we know in this portal so far. */
  match: MatchRow | null
}

/**
 * Customers with a subscription or an event; only they have something to push. The look-ups are bounded, because
 * without statistics after a first import the planner would read whole tables for each customer.
 */
const isPaying = sql<boolean>`coalesce(
  (select true from subscriptions s where s.organization_id = c.organization_id and s.customer_id = c.id limit 1),
  (select true from events e where e.organization_id = c.organization_id and e.customer_id = c.id limit 1), false)`

type Nullable<T> = { [Key in keyof T]: T[Key] | null }

/**
 * Customers after `afterId`, by id, that lack a company in the portal or a contact for their address; the caller
 * fills in only what is open. With `changedIds` it reads these and those that were open before.
 */
export async function listOpenCustomers(
  tenant: Tenant,
  portalId: string,
  {
    afterId,
    limit,
    changedIds,
  }: { afterId: string; limit: number; changedIds?: readonly string[] | undefined },
): Promise<OpenCustomer[]> {
  const ofPortal = sql`from matches where organization_id = ${tenant.organizationId} and portal_id = ${portalId}`
  const isMeant =
    changedIds === undefined
      ? sql`true`
      : sql`c.id = any(array(
          select customer_id ${ofPortal} and state = 'pending'
          union select customer_id ${ofPortal} and state = 'linked' and contact_record_id is null
          union select unnest(${[...changedIds]}::text[])))`
  const { rows } = await sql<{ id: string; name: string | null; email: string | null } & Nullable<MatchRow>>`
    select c.id, c.name, c.email, c.id as "customerId", m.state, m.company_record_id as "companyRecordId",
           m.company_name as "companyName", m.contact_record_id as "contactRecordId", m.contact_for as "contactFor", m.evidence, m.candidates,
           m.contact_problem as "contactProblem", m.contact_problem_email as "contactProblemEmail", m.revision
      from customers c
      left join lateral (select * from matches k
                          where k.organization_id = c.organization_id and k.customer_id = c.id
                            and k.portal_id = ${portalId} limit 1) as m on true
     where c.organization_id = ${tenant.organizationId} and c.id > ${afterId} and ${isMeant}
       and (m.state is null or m.state = 'pending' or (m.state = 'linked' and (m.contact_record_id is null or m.contact_for is distinct from c.email)))
       and ${isPaying}
     order by c.id limit ${limit}`.execute(tenant.sql)
  return rows.map(({ id, name, email, state, ...match }) => ({
    customerId: id,
    name,
    email,
    match: state && {
      ...match,
      customerId: id,
      state,
      evidence: match.evidence ?? 'no_candidate',
      candidates: match.candidates ?? [],
      revision: match.revision ?? 0,
    },
  }))
}

/** Saves a run's results, each only if the match has not changed since the run read it: later decisions win. */
export async function saveMatches(
  tenant: Tenant,
  portalId: string,
  matches: readonly MatchRow[],
  at: Date,
): Promise<void> {
  if (matches.length === 0) return
  const changed = sql`
    insert into matches as known
      (organization_id, customer_id, portal_id, state, company_record_id, company_name, contact_record_id, contact_for,
       evidence, candidates, contact_problem, contact_problem_email, revision, updated_at)
    select ${tenant.organizationId}, "customerId", ${portalId}, state, "companyRecordId", "companyName",
           "contactRecordId", "contactFor", evidence, candidates, "contactProblem", "contactProblemEmail", revision + 1, ${at}
      from jsonb_to_recordset(${storableJson(matches)}::jsonb) as given (
        "customerId" text, state text, "companyRecordId" text, "companyName" text, "contactRecordId" text, "contactFor" text,
        evidence text, candidates jsonb, "contactProblem" text, "contactProblemEmail" text, revision integer)
     order by "customerId"
    on conflict (organization_id, customer_id, portal_id) do update set
      state = excluded.state, company_record_id = excluded.company_record_id,
      company_name = excluded.company_name, contact_record_id = excluded.contact_record_id,
      contact_for = excluded.contact_for, evidence = excluded.evidence, candidates = excluded.candidates,
      contact_problem = excluded.contact_problem, contact_problem_email = excluded.contact_problem_email,
      revision = excluded.revision, updated_at = excluded.updated_at
    where known.revision = excluded.revision - 1
      and (known.state, known.company_record_id, known.company_name, known.contact_record_id, known.contact_for,
           known.evidence, known.candidates, known.contact_problem, known.contact_problem_email)
        is distinct from
          (excluded.state, excluded.company_record_id, excluded.company_name, excluded.contact_record_id,
           excluded.contact_for, excluded.evidence, excluded.candidates, excluded.contact_problem, excluded.contact_problem_email)`
  const ids = matches.map(({ customerId }) => customerId)
  await writeCounted(tenant, 'matches', {
    which: sql`known.portal_id = ${portalId} and known.customer_id = any(${ids}::text[])`,
    statement: changed,
    inserts: ids.length,
  })
}

/** The number of customers in a review state, in the current portal. */
export function countOfState(tenant: Tenant, state: MatchState): RawBuilder<number> {
  return countListed(tenant, 'matches', { statuses: [state], part: currentPortal(tenant) })
}

/** The number of customers that wait for a person, in the current portal. */
export function countPendingMatches(tenant: Tenant): Promise<number> {
  return countMatches(tenant, 'pending')
}

/** The number of customers linked to a company, in the current portal. */
export function countLinkedMatches(tenant: Tenant): Promise<number> {
  return countMatches(tenant, 'linked')
}

/** Whether any customer was looked for in the current portal. Whoever was looked for has a match, also if nothing was found. */
export async function hasMatches(tenant: Tenant): Promise<boolean> {
  const { rows } = await sql`
    select from matches where organization_id = ${tenant.organizationId} and portal_id = ${currentPortal(tenant)}
     limit 1`.execute(tenant.sql)
  return rows.length > 0
}

async function countMatches(tenant: Tenant, state: MatchState): Promise<number> {
  const query = sql<{ count: number }>`select (${countOfState(tenant, state)}) as count`
  const { rows } = await query.execute(tenant.sql)
  return rows[0]?.count ?? 0
}

/** How a customer's match was decided, and on what evidence. */
export function findMatch(tenant: Tenant, portalId: string, customerId: string) {
  return tenant.sql
    .selectFrom('matches')
    .select(['state', 'evidence', 'company_record_id as companyRecordId'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
}
