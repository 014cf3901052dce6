import { type RawBuilder, sql } from 'kysely'
import type { MatchCandidate, MatchEvidence, MatchState } from '#domain/company.ts'
import type { CurrencyCoverage, MrrCoverage } from '#domain/company-coverage.ts'
import { currentPortal } from '../crm/current-portal.ts'
import { decidedBy } from '../matches/decided-by.ts'
import { countOfState } from '../matches/matches.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { type CurrentCandidate, withCurrentCandidates } from './current-candidates.ts'
import { collectedMax, countedMax, findCustomers } from './find-text.ts'
import { type Counted, countRows, readPage, type Stretch, type WantedPage } from './page.ts'
import { type SearchedRows, searchPage, searchWhole } from './search-page.ts'

/** An empty search finds everything. */
export type MatchQuery = WantedPage & {
  search: string
  state: MatchState
  /** Only customers whose match has this reason. */
  reason?: MatchEvidence | undefined
}

/** A customer in the review, with its current MRR: in the reporting currency, and by currency what has no rate. */
export type ListedMatch = {
  customerId: string
  customerName: string | null
  email: string | null
  portalId: string
  state: MatchState
  evidence: MatchEvidence
  decidedBy: string | null
  companyRecordId: string | null
  companyName: string | null
  candidates: CurrentCandidate[]
  contactProblem: string | null
  mrrCents: number
  others: { currency: string; mrrCents: number }[]
  uncountedSubscriptions: number
  /** Subscriptions and events: the records that follow its company in the CRM. */
  recordCount: number
}

type StoredMatch = Omit<ListedMatch, 'candidates' | keyof Besides> & { candidates: MatchCandidate[] }

/** With at least this many matches we walk from the highest MRR down; fewer are collected and sorted. */
const collectedMatchesMax = 2_000

/** One page, highest MRR in the reporting currency first, with the total. */
export async function listMatches(
  tenant: Tenant,
  query: MatchQuery,
): Promise<Counted & { matches: ListedMatch[] }> {
  const { ids, ...counted } = await (query.search === '' ? wholePage : foundPage)(tenant, query)
  return { ...counted, matches: await readMatches(tenant, query.state, ids) }
}

/** These customers of the review, in the order of the ids. */
export async function readMatches(
  tenant: Tenant,
  state: MatchState,
  ids: readonly string[],
): Promise<ListedMatch[]> {
  const { rows } = await sql<StoredMatch>`
    select m.customer_id as "customerId", c.name as "customerName", c.email, m.portal_id as "portalId", m.state,
           m.evidence, m.company_record_id as "companyRecordId", m.company_name as "companyName", m.candidates,
           m.contact_problem as "contactProblem", ${decidedBy} as "decidedBy", c.reporting_mrr_cents as "mrrCents"
      from ${withMatches} where ${isOfState(tenant, { state })} and c.id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
  const besides = await listBesides(tenant, ids)
  const byId = new Map(rows.map((row) => [row.customerId, row]))
  const matches = ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? { ...row, ...(besides.get(id) ?? nothingBesides) } : []
  })
  return withCurrentCandidates(tenant, matches)
}

async function wholePage(tenant: Tenant, query: MatchQuery): Promise<Counted & { ids: string[] }> {
  const totalOfState = await readAlongIndexes(tenant, countOfState(tenant, query.state))
  const list = matchesWhere(tenant, query, sql`true`, totalOfState > collectedMatchesMax)
  const counted =
    query.reason === undefined
      ? { totalCount: totalOfState, isCapped: false }
      : await countReason(tenant, list)
  return { ...counted, ids: await readPage(tenant, query, counted, [list]) }
}

/** Counts as far as a search does. */
async function countReason(tenant: Tenant, list: Stretch): Promise<Counted> {
  const count = await countRows(tenant, list, countedMax + 1)
  return { totalCount: Math.min(count, countedMax), isCapped: count > countedMax }
}

/** How many customers wait for each reason, most first. Looks at up to `countedMax` of them. */
export async function listReasons(
  tenant: Tenant,
): Promise<{ isCapped: boolean; reasons: { reason: MatchEvidence; count: number }[] }> {
  const { rows } = await sql<{ reason: MatchEvidence; count: number }>`
    select evidence as reason, count(*) as count
      from (select evidence from matches
             where organization_id = ${tenant.organizationId} and portal_id = ${currentPortal(tenant)}
               and state = 'pending' limit ${countedMax + 1}) as waiting
     group by evidence order by count(*) desc, evidence`.execute(tenant.sql)
  const total = rows.reduce((sum, { count }) => sum + Number(count), 0)
  return {
    isCapped: total > countedMax,
    reasons: rows.map(({ reason, count }) => ({ reason, count: Number(count) })),
  }
}

async function foundPage(tenant: Tenant, query: MatchQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const found = await matchesFound(tenant, query)
  return searchPage(tenant, query, found, found)
}

/** All customers of a state that contain the text, highest MRR first. */
export async function wholeMatches(
  tenant: Tenant,
  query: Pick<MatchQuery, 'search' | 'state' | 'reason'>,
): Promise<Stretch[]> {
  if (query.search === '') return [matchesWhere(tenant, query, sql`true`, true)]
  const found = await matchesFound(tenant, query)
  return searchWhole(tenant, found, found)
}

async function matchesFound(
  tenant: Tenant,
  query: Pick<MatchQuery, 'search' | 'state' | 'reason'>,
): Promise<SearchedRows & { isPartial: boolean }> {
  const { isPartial, contains } = await findCustomers(tenant, query.search)
  return {
    isPartial,
    parts: [sql`select c.id from ${withMatches} where ${isOfState(tenant, query)} and ${contains}`],
    few: (ids) => [matchesWhere(tenant, query, sql<boolean>`c.id = any(${ids}::text[])`, false)],
    many: ([count]) => [matchesWhere(tenant, query, contains, isPartial && count === collectedMax)],
    whole: () => [matchesWhere(tenant, query, contains, isPartial)],
  }
}

const withMatches = sql`customers c join matches m on m.organization_id = c.organization_id and m.customer_id = c.id`

/** The matches of the state that meet the condition, highest MRR first. */
function matchesWhere(
  tenant: Tenant,
  query: Pick<MatchQuery, 'state' | 'reason'>,
  holds: RawBuilder<boolean>,
  isWalked: boolean,
): Stretch {
  // The added zero prevents a scan of the MRR index, which is far longer than the result.
  const mrr = isWalked ? sql`c.reporting_mrr_cents` : sql`c.reporting_mrr_cents + 0`
  return {
    id: sql<string>`c.id`,
    from: withMatches,
    where: sql<boolean>`${isOfState(tenant, query)} and ${holds}`,
    order: [
      { by: mrr, type: 'bigint', isDescending: true },
      { by: sql`c.id`, type: 'text', isDescending: false },
    ],
  }
}

export type Besides = Pick<ListedMatch, 'others' | 'uncountedSubscriptions' | 'recordCount'>
export const nothingBesides: Besides = { others: [], uncountedSubscriptions: 0, recordCount: 0 }

/** The MRR of these customers that has no rate, by currency, and how many records they have. */
export async function listBesides(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<Map<string, Besides>> {
  const { rows } = await sql<Besides & { customerId: string }>`
    select customer_id as "customerId",
           coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'mrrCents', cents) order by currency)
             filter (where cents > 0), '[]') as others,
           sum(uncounted)::bigint as "uncountedSubscriptions",
           sum(held)::bigint + (select count(*) from events e
                                 where e.organization_id = ${tenant.organizationId}
                                   and e.customer_id = by_currency.customer_id) as "recordCount"
      from (select customer_id, currency, sum(current_mrr_cents) filter (where reporting_mrr_cents is null) as cents,
                   count(*) as held,
                   count(*) filter (where unsupported_reason is not null) as uncounted
              from subscriptions
             where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])
             group by customer_id, currency) as by_currency
     group by customer_id`.execute(tenant.sql)
  return new Map(rows.map(({ customerId, ...besides }) => [customerId, besides]))
}

function isOfState(
  tenant: Tenant,
  { state, reason }: Pick<MatchQuery, 'state' | 'reason'>,
): RawBuilder<boolean> {
  const isOfReason = reason === undefined ? sql`` : sql` and m.evidence = ${reason}`
  return sql<boolean>`c.organization_id = ${tenant.organizationId} and m.organization_id = ${tenant.organizationId}
    and m.portal_id = ${currentPortal(tenant)} and m.state = ${state}${isOfReason}`
}

/**
 * Current MRR in the reporting currency, and by currency what has no rate, each with how much of it belongs to customers
 * that have a company. `own` is all MRR by currency.
 */
export async function readCoverage(
  tenant: Tenant,
): Promise<MrrCoverage & { others: CurrencyCoverage[]; own: CurrencyCoverage[] }> {
  type Row = CurrencyCoverage & {
    count: number
    ownCents: number
    ownAttachedCents: number
    reportedCents: number
    reportedAttachedCents: number
  }
  const { rows } = await sql<Row>`
    select part as currency, sum(unconverted_count)::bigint as count,
           coalesce(sum(unconverted_cents) filter (where list = 'subscriptions'), 0)::bigint as "mrrCents",
           coalesce(sum(unconverted_cents) filter (where list = 'customers' and status = 'matched'), 0)::bigint as "attachedCents",
           coalesce(sum(mrr_cents) filter (where list = 'subscriptions'), 0)::bigint as "ownCents",
           coalesce(sum(mrr_cents) filter (where list = 'customers' and status = 'matched'), 0)::bigint as "ownAttachedCents",
           coalesce(sum(reporting_cents) filter (where list = 'subscriptions'), 0)::bigint as "reportedCents",
           coalesce(sum(reporting_cents) filter (where list = 'customers' and status = 'matched'), 0)::bigint as "reportedAttachedCents"
      from list_totals
     where organization_id = ${tenant.organizationId} and list in ('subscriptions', 'customers')
     group by part order by part`.execute(tenant.sql)
  return {
    mrrCents: rows.reduce((sum, row) => sum + row.reportedCents, 0),
    attachedCents: rows.reduce((sum, row) => sum + row.reportedAttachedCents, 0),
    others: rows
      .filter(({ count }) => count > 0)
      .map(({ currency, mrrCents, attachedCents }) => ({ currency, mrrCents, attachedCents })),
    own: rows
      .filter(({ currency }) => currency !== '')
      .map(({ currency, ownCents: mrrCents, ownAttachedCents: attachedCents }) => ({
        currency,
        mrrCents,
        attachedCents,
      })),
  }
}
