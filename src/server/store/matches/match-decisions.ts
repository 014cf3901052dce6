import { sql } from 'kysely'
import type { DecisionAction, MatchEvidence, MatchState } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { type DecidedMatch, decidedRows, writeMatches } from './write-matches.ts'

/** What a person decided in one step, about one customer or many. */
export type Decision = { id: string; action: DecisionAction; by: number; at: Date }

/** Superseded decisions are kept for as long as they can be undone. */
const keptMs = 24 * 60 * 60 * 1_000

/** Saves decisions over any earlier state, and what was so before. The caller has locked the customers. */
export async function decideMatches(
  tenant: Tenant,
  portalId: string,
  decision: Decision,
  decided: readonly DecidedMatch[],
): Promise<void> {
  if (decided.length === 0) return
  const ids = decided.map(({ customerId }) => customerId)
  await forgetSuperseded(tenant, portalId, ids, decision.at)
  await noteDecided(tenant, portalId, decision, decided)
  await writeMatches(tenant, portalId, decided, decision.at)
}

async function forgetSuperseded(tenant: Tenant, portalId: string, ids: readonly string[], at: Date) {
  await sql`
    delete from match_decisions
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and customer_id = any(${ids}::text[]) and decided_at < ${new Date(at.getTime() - keptMs)}`.execute(
    tenant.sql,
  )
}

async function noteDecided(
  tenant: Tenant,
  portalId: string,
  { id, action, by, at }: Decision,
  decided: readonly DecidedMatch[],
) {
  await sql`
    insert into match_decisions
      (organization_id, portal_id, customer_id, decision_id, action, decided_by, decided_at, state, company_record_id,
       state_before, evidence_before, company_before)
    select ${tenant.organizationId}, ${portalId}, "customerId", ${id}, ${action}, ${by}, ${at}, given.state, "recordId",
           coalesce(m.state, 'pending'), coalesce(m.evidence, 'no_candidate'), m.company_record_id
      from ${decidedRows(decided)}
      left join matches m on m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
                         and m.customer_id = "customerId"
     order by "customerId"`.execute(tenant.sql)
}

export type DecidableMatch = {
  customerId: string
  name: string | null
  email: string | null
  state: MatchState | null
  evidence: MatchEvidence | null
  companyRecordId: string | null
  contactRecordId: string | null
  /** What a person decided last, where that still holds. */
  decided: { by: string | null; action: DecisionAction; companyName: string | null } | null
}

/** The customers with the states of their matches, locked until the transaction ends; unknown ones are left out. */
export async function lockDecidable(
  tenant: Tenant,
  portalId: string,
  customerIds: readonly string[],
): Promise<Map<string, DecidableMatch>> {
  await sql`
    select from customers where organization_id = ${tenant.organizationId} and id = any(${customerIds}::text[])
     order by id for update`.execute(tenant.sql)
  await sql`
    select from matches where organization_id = ${tenant.organizationId} and portal_id = ${portalId}
       and customer_id = any(${customerIds}::text[]) order by customer_id for update`.execute(tenant.sql)
  const { rows } = await sql<DecidableMatch>`
    select c.id as "customerId", c.name, c.email, m.state, m.evidence, m.company_record_id as "companyRecordId",
           m.contact_record_id as "contactRecordId",
           case when d.state = m.state and d.company_record_id is not distinct from m.company_record_id then
             jsonb_build_object('by', u.name, 'action', d.action, 'companyName', m.company_name) end as decided
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.portal_id = ${portalId}
                         and m.customer_id = c.id
      left join lateral (
        select l.state, l.action, l.company_record_id, l.decided_by from match_decisions l
         where l.organization_id = c.organization_id and l.portal_id = ${portalId} and l.customer_id = c.id
         order by l.position desc limit 1) as d on true
      left join "user" u on u.id = d.decided_by
     where c.organization_id = ${tenant.organizationId} and c.id = any(${customerIds}::text[])`.execute(
    tenant.sql,
  )
  return new Map(rows.map((row) => [row.customerId, row]))
}

/** A customer of a decision, what was so before it, and what happened since. */
export type Undoable = {
  customerId: string
  name: string | null
  action: DecisionAction
  stateBefore: MatchState
  evidenceBefore: MatchEvidence
  companyBefore: string | null
  /** Whether the match is as the decision left it, and no later decision was made. */
  isAsDecided: boolean
  /** Who decided later; null if nobody did, or if that account is deleted. */
  changedBy: string | null
  hasLaterDecision: boolean
}

/** The customers of a decision; none after it was undone. */
export async function listDecided(tenant: Tenant, decisionId: string): Promise<{ customerId: string }[]> {
  return tenant.sql
    .selectFrom('match_decisions')
    .select('customer_id as customerId')
    .where('organization_id', '=', tenant.organizationId)
    .where('decision_id', '=', decisionId)
    .execute()
}

/** The customers of a decision made after `since`, locked until the transaction ends. */
export async function lockDecided(
  tenant: Tenant,
  portalId: string,
  decisionId: string,
  since: Date,
): Promise<Undoable[]> {
  const ofDecision = sql`organization_id = ${tenant.organizationId} and portal_id = ${portalId}
    and decision_id = ${decisionId} and decided_at > ${since}`
  const { rows: ids } = await sql<{ id: string }>`
    select customer_id as id from match_decisions where ${ofDecision}`.execute(tenant.sql)
  await lockDecidable(
    tenant,
    portalId,
    ids.map(({ id }) => id),
  )
  const { rows } = await sql<Undoable>`
    select d.customer_id as "customerId", c.name, d.action, d.state_before as "stateBefore",
           d.evidence_before as "evidenceBefore", d.company_before as "companyBefore",
           later.position is null and m.state = d.state
             and m.company_record_id is not distinct from d.company_record_id as "isAsDecided",
           later.position is not null as "hasLaterDecision", later.name as "changedBy"
      from (select * from match_decisions where ${ofDecision}) d
      join matches m using (organization_id, customer_id, portal_id)
      join customers c on c.organization_id = d.organization_id and c.id = d.customer_id
      left join lateral (
        select l.position, u.name from match_decisions l left join "user" u on u.id = l.decided_by
         where l.organization_id = d.organization_id and l.portal_id = d.portal_id
           and l.customer_id = d.customer_id and l.position > d.position
         order by l.position desc limit 1) as later on true
     order by d.customer_id`.execute(tenant.sql)
  return rows
}

/** Writes what was so before a decision, and forgets the decision about these customers. */
export async function undoDecided(
  tenant: Tenant,
  portalId: string,
  decisionId: string,
  before: readonly DecidedMatch[],
  at: Date,
): Promise<void> {
  if (before.length === 0) return
  const ids = before.map(({ customerId }) => customerId)
  await sql`
    delete from match_decisions
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and decision_id = ${decisionId}
       and customer_id = any(${ids}::text[])`.execute(tenant.sql)
  await writeMatches(tenant, portalId, before, at)
}
