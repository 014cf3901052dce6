import { getMatchCoverage, getMatchForecast } from '#contract/lists/match-figures.ts'
import {
  listMatches as listMatchesCall,
  listMatchReasons,
  type Match,
  runMatching,
  searchHubspotCompanies,
} from '#contract/matches.ts'
import { noCompanyFacts } from '#domain/company.ts'
import { percentAttached } from '#domain/company-coverage.ts'
import { type Router, serve } from '../../http/serve.ts'
import { countUnsupported } from '../../store/ledger/dashboard.ts'
import { type ListedMatch, listMatches, listReasons } from '../../store/lists/match-list.ts'
import { countPendingMatches, hasMatches } from '../../store/matches/matches.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { addressProblem } from '../../work/addresses/address-problem.ts'
import { readAddress } from '../../work/addresses/read-address.ts'
import { forecastMatching, matchCompanies } from '../../work/match/match-companies.ts'
import { seenOf } from '../../work/match/review/decide-each.ts'
import { searchCompanies } from '../../work/match/review/search-companies.ts'
import { factsToWire } from '../company-facts.ts'
import { type Links, readLinks } from '../links.ts'
import { coverageAtRates } from './coverage.ts'
import { serveDecisions } from './decisions.ts'
import { serveMatchCsv } from './match-csv.ts'
import { serveMatchRules } from './match-rules.ts'

export function serveMatches(router: Router): void {
  serveMatchRules(router)
  serveMatchCsv(router)
  serveDecisions(router)

  serve(router, runMatching, ({ deps, organizationId, request }) =>
    matchCompanies(deps, organizationId, request.signal),
  )

  serve(router, listMatchesCall, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { matches, ...counted } = await listMatches(tenant, query)
      const links = await readLinks(deps, tenant)
      const currency = await getReportingCurrency(tenant)
      const toRow = (row: ListedMatch) => ({
        ...toWire(row, links, deps.payments.name),
        reportingCurrency: currency,
      })
      return { ...counted, matches: matches.map(toRow) }
    }),
  )

  serve(router, listMatchReasons, ({ inOrganization }) => inOrganization(listReasons))

  serve(router, getMatchCoverage, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const { others, ...reported } = await coverageAtRates(tenant, deps.now())
      return {
        percent: percentAttached(reported),
        currentMrr: reported.mrrCents,
        attachedMrr: reported.attachedCents,
        reportingCurrency: await getReportingCurrency(tenant),
        otherCurrencies: others.map((other) => ({
          currency: other.currency,
          mrr: other.mrrCents,
          attachedMrr: other.attachedCents,
        })),
        unsupportedSubscriptions: await countUnsupported(tenant),
        pendingMatchCount: await countPendingMatches(tenant),
        wasMatchingRun: await hasMatches(tenant),
      }
    }),
  )

  serve(router, getMatchForecast, async ({ deps, organizationId, request }) => {
    const forecast = await forecastMatching(deps, organizationId, request.signal)
    const { attached, toReview, ...toCreate } = forecast
    return { ...toCreate, attachedCustomers: attached, customersToReview: toReview }
  })

  serve(
    router,
    searchHubspotCompanies,
    async ({ deps, organizationId, inOrganization, request }, { query }) => {
      const found = await searchCompanies(deps, organizationId, query.query, request.signal)
      const links = await inOrganization((tenant) => readLinks(deps, tenant))
      return {
        companies: found.companies.map(({ recordId, name, domains, facts = noCompanyFacts }) => ({
          companyRecordId: recordId,
          companyName: name,
          domains: [...domains],
          facts: factsToWire(facts),
          hubspotCompanyLink: links.hubspotCompany(found.portalId, recordId),
        })),
      }
    },
  )
}

function toWire(row: ListedMatch, links: Links, paymentsName: string): Omit<Match, 'reportingCurrency'> {
  return {
    customerId: row.customerId,
    customerName: row.customerName,
    customerEmail: row.email,
    domain: readAddress(row.email).registrableDomain,
    emailProblem: addressProblem(row.email, paymentsName),
    currentMrr: row.mrrCents,
    otherCurrencies: row.others.map(({ currency, mrrCents }) => ({ currency, mrr: mrrCents })),
    uncountedSubscriptions: row.uncountedSubscriptions,
    recordCount: row.recordCount,
    state: row.state,
    seen: seenOf(row),
    evidence: row.evidence,
    decidedBy: row.decidedBy,
    companyName: row.state === 'linked' ? row.companyName : null,
    hubspotCompanyLink: links.hubspotCompany(row.portalId, row.companyRecordId),
    candidates: row.candidates.map(({ recordId, name, domains, facts, reasons }) => ({
      companyRecordId: recordId,
      companyName: name,
      domains: [...domains],
      facts: factsToWire(facts),
      hubspotCompanyLink: links.hubspotCompany(row.portalId, recordId),
      reasons,
    })),
    contactProblem: row.contactProblem,
  }
}
