import { sql } from 'kysely'
import type { MatchEvidence, MatchState } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { writeCounted } from '../totals/list-totals.ts'

/** How a customer's match shall be from now on. */
export type DecidedMatch = {
  customerId: string
  state: MatchState
  evidence: MatchEvidence
  company: { recordId: string; name: string | null } | null
}

/** The matches as rows named `given`. */
export function decidedRows(decided: readonly DecidedMatch[]) {
  const rows = decided.map(({ company, ...match }) => ({
    ...match,
    recordId: company?.recordId ?? null,
    name: company?.name ?? null,
  }))
  return sql`jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (
    "customerId" text, state text, evidence text, "recordId" text, name text)`
}

/** Writes states and companies of matches over what they are. Customers that the organization lacks are left out. */
export async function writeMatches(
  tenant: Tenant,
  portalId: string,
  decided: readonly DecidedMatch[],
  at: Date,
): Promise<void> {
  if (decided.length === 0) return
  const ids = decided.map(({ customerId }) => customerId)
  const statement = sql`
    insert into matches as known
      (organization_id, portal_id, customer_id, state, evidence, company_record_id, company_name, updated_at)
    select c.organization_id, ${portalId}, c.id, given.state, given.evidence, given."recordId", given.name, ${at}
      from ${decidedRows(decided)}
      join customers c on c.organization_id = ${tenant.organizationId} and c.id = "customerId"
     order by c.id
    on conflict (organization_id, customer_id, portal_id) do update set
      state = excluded.state, evidence = excluded.evidence, company_record_id = excluded.company_record_id,
      company_name = excluded.company_name, revision = known.revision + 1, updated_at = excluded.updated_at`
  const which = sql<boolean>`known.portal_id = ${portalId} and known.customer_id = any(${ids}::text[])`
  await writeCounted(tenant, 'matches', { which, statement, inserts: ids.length })
}
