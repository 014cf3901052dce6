import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A person's decision for all customers of a registrable domain, in one portal. */
export type MatchRule = {
  domain: string
  kind: 'always' | 'never'
  companyRecordId: string | null
  companyName: string | null
  createdAt: Date
}

/** The first half of an advisory lock key; the organization is the second half. */
const rulesLock = 740_117

/**
 * Writes of rules come one after the other. The lock is taken before any customer is locked, because a rule locks more
 * of them.
 */
export async function lockRules({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(${rulesLock}::integer, ${organizationId}::integer)`.execute(
    transaction,
  )
}

function ofPortal(tenant: Tenant, portalId: string) {
  return tenant.sql
    .selectFrom('match_rules')
    .select([
      'domain',
      'kind',
      'company_record_id as companyRecordId',
      'company_name as companyName',
      'created_at as createdAt',
    ])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
}

const toRule = (row: Awaited<ReturnType<ReturnType<typeof ofPortal>['execute']>>[number]): MatchRule => ({
  ...row,
  kind: row.kind === 'always' ? 'always' : 'never',
})

/** All rules of the portal, by domain, with the names of those who made them. */
export async function listRules(
  tenant: Tenant,
  portalId: string,
): Promise<(MatchRule & { createdBy: string | null })[]> {
  const rows = await ofPortal(tenant, portalId)
    .leftJoin('user', 'user.id', 'match_rules.created_by')
    .select('user.name as createdBy')
    .orderBy('domain')
    .execute()
  return rows.map(({ createdBy, ...rule }) => ({ ...toRule(rule), createdBy }))
}

/** How many domains other than this one have a rule in the portal. */
export async function countOtherRules(tenant: Tenant, portalId: string, domain: string): Promise<number> {
  const { count } = await tenant.sql
    .selectFrom('match_rules')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('domain', '<>', domain)
    .executeTakeFirstOrThrow()
  return count
}

/** The rules of people for these domains. */
export async function listRulesOf(
  tenant: Tenant,
  portalId: string,
  domains: readonly string[],
): Promise<MatchRule[]> {
  if (domains.length === 0) return []
  const rows = await ofPortal(tenant, portalId)
    .where('domain', 'in', [...domains])
    .execute()
  return rows.map(toRule)
}

/** Names the decision in a rule that replaced another one, which no undo brings back. */
const replacing = (decisionId: string) => `replaced:${decisionId}`

/** Whether the decision replaced a rule by the one that stands. */
export async function hasReplacedRule(
  tenant: Tenant,
  portalId: string,
  decisionId: string,
): Promise<boolean> {
  const rule = await ofPortal(tenant, portalId)
    .where('decision_id', '=', replacing(decisionId))
    .executeTakeFirst()
  return rule !== undefined
}

/** Saves the rule of a domain and replaces an earlier one. */
export async function saveRule(
  tenant: Tenant,
  portalId: string,
  rule: { domain: string; company: { recordId: string; name: string | null } | null },
  made: { by: number; decisionId: string | null; at: Date },
): Promise<void> {
  const values = {
    kind: rule.company === null ? 'never' : 'always',
    company_record_id: rule.company?.recordId ?? null,
    company_name: rule.company?.name ?? null,
    created_at: made.at,
    created_by: made.by,
    decision_id: made.decisionId,
  }
  await tenant.sql
    .insertInto('match_rules')
    .values({
      organization_id: tenant.organizationId,
      portal_id: portalId,
      domain: rule.domain,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'portal_id', 'domain']).doUpdateSet({
        ...values,
        decision_id: made.decisionId === null ? null : replacing(made.decisionId),
      }),
    )
    .execute()
}

/** The rule that a decision made; undefined if there is none, or it was replaced since. */
export async function findRuleOf(
  tenant: Tenant,
  portalId: string,
  decisionId: string,
): Promise<MatchRule | undefined> {
  const row = await ofPortal(tenant, portalId).where('decision_id', '=', decisionId).executeTakeFirst()
  return row && toRule(row)
}

/** Deletes the rule that a decision made, unless it was replaced since. Returns its domain; null if there is none. */
export async function deleteRuleOf(
  tenant: Tenant,
  portalId: string,
  decisionId: string,
): Promise<string | null> {
  const deleted = await tenant.sql
    .deleteFrom('match_rules')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('decision_id', '=', decisionId)
    .returning('domain')
    .executeTakeFirst()
  return deleted?.domain ?? null
}

/** Deletes the domain's rule; false if it has none. */
export async function deleteRule(tenant: Tenant, portalId: string, domain: string): Promise<boolean> {
  const deleted = await tenant.sql
    .deleteFrom('match_rules')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
