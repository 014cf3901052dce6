import { type RawBuilder, sql } from 'kysely'
import type { MatchCandidate, MatchEvidence, MatchState } from '#domain/company.ts'
import type { CurrencyCoverage } from '#domain/company-coverage.ts'
import { listCompanyNames } from '../crm/crm-index.ts'
import { currentPortal } from '../crm/current-portal.ts'
import { countOfState } from '../matches/matches.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { type Counted, collectedMax, countedOf, customerContains, customerIdsOf } from './list-search.ts'

export type MatchQuery = {
  /** Counts from 1. */
  page: number
  limit: number
  /** An empty search finds everything. */
  search: string
  state: MatchState
}

/** A customer in the review, with its current MRR by currency in minor units. */
export type ListedMatch = {
  customerId: string
  customerName: string | null
  email: string | null
  portalId: string
  state: MatchState
  evidence: MatchEvidence
  companyRecordId: string | null
  companyName: string | null
  candidates: MatchCandidate[]
  contactProblem: string | null
  mrrCents: number
  others: { currency: string; mrrCents: number }[]
  uncountedSubscriptions: number
}

/** With at least this many matches we walk from the highest MRR down; fewer are collected and sorted. */
const collectedMatchesMax = 2_000

/** One page, highest dollar MRR first, with the total. */
export async function listMatches(
  tenant: Tenant,
  query: MatchQuery,
): Promise<Counted & { matches: ListedMatch[] }> {
  const { isFound, counted, isWalked } = await (query.search === ''
    ? wholeList(tenant, query)
    : searchList(tenant, query))
  const offset = (query.page - 1) * query.limit
  const limit = Math.max(0, Math.min(query.limit, counted.totalCount - offset))
  // The added zero prevents a scan of the MRR index, which is far longer than the result.
  const mrr = isWalked ? sql`c.usd_mrr_cents` : sql`c.usd_mrr_cents + 0`
  const { rows } = await sql<ListedMatch>`
    select m.customer_id as "customerId", c.name as "customerName", c.email, m.portal_id as "portalId", m.state,
           m.evidence, m.company_record_id as "companyRecordId", m.company_name as "companyName", m.candidates,
           m.contact_problem as "contactProblem", c.usd_mrr_cents as "mrrCents"
      from customers c join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
     where c.organization_id = ${tenant.organizationId} and ${isOfState(tenant, query)} and ${isFound}
     order by ${mrr} desc, c.id
     limit ${limit} offset ${offset}`.execute(tenant.sql)
  const besides = await listBesides(
    tenant,
    rows.map(({ customerId }) => customerId),
  )
  const matches = rows.map((row) => ({ ...row, ...(besides.get(row.customerId) ?? nothingBesides) }))
  return { ...counted, matches: await withNames(tenant, matches) }
}

/** Candidates are stored with the names of that time; show the CRM's current names. */
async function withNames(tenant: Tenant, matches: ListedMatch[]): Promise<ListedMatch[]> {
  const [first] = matches
  if (first === undefined) return []
  const recordIds = matches.flatMap(({ candidates }) => candidates.map(({ recordId }) => recordId))
  const names = await listCompanyNames(tenant, first.portalId, [...new Set(recordIds)])
  const named = ({ recordId, name, reasons }: MatchCandidate) => ({
    recordId,
    name: names.has(recordId) ? (names.get(recordId) ?? null) : name,
    reasons,
  })
  return matches.map((match) => ({ ...match, candidates: match.candidates.map(named) }))
}

/** The selected customers of the state, their number, and whether to walk from the highest MRR. */
type Listed = { isFound: RawBuilder<boolean>; counted: Counted; isWalked: boolean }

async function wholeList(tenant: Tenant, query: MatchQuery): Promise<Listed> {
  const totalCount = await readAlongIndexes(tenant, countOfState(tenant, query.state))
  return {
    isFound: sql<boolean>`true`,
    counted: { totalCount, isCapped: false },
    isWalked: totalCount > collectedMatchesMax,
  }
}

async function searchList(tenant: Tenant, query: MatchQuery): Promise<Listed> {
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ called: string[]; beginning: string[] }>`
    select array(${customerIdsOf(tenant, query.search)}) as called,
           array(select id from customers where organization_id = ${tenant.organizationId} and id ^@ ${query.search}
                  limit ${collectedMax}) as beginning`.execute(tenant.sql)
  const { called = [], beginning = [] } = rows[0] ?? {}
  const isPartial = called.length === collectedMax || beginning.length === collectedMax
  const isFound = isPartial
    ? sql<boolean>`(${customerContains(query.search)} or c.id ^@ ${query.search})`
    : sql<boolean>`c.id = any(${[...new Set([...called, ...beginning])]}::text[])`
  const found = await sql<{ count: number }>`
    select count(*) as count from (
      select from customers c join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
       where c.organization_id = ${tenant.organizationId} and ${isOfState(tenant, query)} and ${isFound}
       limit ${collectedMax}) as rows`.execute(tenant.sql)
  const counted = countedOf(found.rows[0]?.count ?? 0)
  return { isFound, counted, isWalked: isPartial && counted.isCapped }
}

type Besides = Pick<ListedMatch, 'others' | 'uncountedSubscriptions'>
const nothingBesides: Besides = { others: [], uncountedSubscriptions: 0 }

/** The MRR of these customers in currencies other than dollars. */
async function listBesides(tenant: Tenant, customerIds: readonly string[]): Promise<Map<string, Besides>> {
  const { rows } = await sql<Besides & { customerId: string }>`
    select customer_id as "customerId",
           coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'mrrCents', cents) order by currency)
             filter (where currency <> 'usd' and cents > 0), '[]') as others,
           sum(uncounted)::bigint as "uncountedSubscriptions"
      from (select customer_id, currency, sum(current_mrr_cents) as cents,
                   count(*) filter (where unsupported_reason is not null) as uncounted
              from subscriptions
             where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])
             group by customer_id, currency) as by_currency
     group by customer_id`.execute(tenant.sql)
  return new Map(rows.map(({ customerId, ...besides }) => [customerId, besides]))
}

function isOfState(tenant: Tenant, { state }: MatchQuery): RawBuilder<boolean> {
  return sql<boolean>`m.organization_id = ${tenant.organizationId}
    and m.portal_id = ${currentPortal(tenant)} and m.state = ${state}`
}

/** Current MRR by currency, and how much of it belongs to customers that have a company. */
export async function listCoverage(tenant: Tenant): Promise<CurrencyCoverage[]> {
  const { rows } = await sql<CurrencyCoverage>`
    select part as currency, coalesce(sum(mrr_cents) filter (where list = 'subscriptions'), 0)::bigint as "mrrCents",
           coalesce(sum(mrr_cents) filter (where list = 'attached'), 0)::bigint as "attachedCents"
      from list_totals
     where organization_id = ${tenant.organizationId} and list in ('subscriptions', 'attached')
     group by part having sum(earning_count) > 0
     order by part`.execute(tenant.sql)
  return rows
}
