import { sql } from 'kysely'
import type { MatchCandidate, MatchEvidence, MatchState } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'

/** A match with the candidates that a run found last, and the customer's address. */
export type KnownCandidates = {
  customerId: string
  email: string | null
  state: MatchState
  evidence: MatchEvidence
  candidates: MatchCandidate[]
}

/** The matches of these customers with their candidates, locked until the transaction ends. */
export async function lockCandidates(
  tenant: Tenant,
  portalId: string,
  customerIds: readonly string[],
): Promise<KnownCandidates[]> {
  const { rows } = await sql<KnownCandidates>`
    select m.customer_id as "customerId", c.email, m.state, m.evidence, m.candidates
      from matches m join customers c on c.organization_id = m.organization_id and c.id = m.customer_id
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and m.customer_id = any(${customerIds}::text[])
     order by m.customer_id for update of m`.execute(tenant.sql)
  return rows
}
