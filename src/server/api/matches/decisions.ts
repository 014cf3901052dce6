import {
  createMatchCompany,
  decideMatches,
  ignoreMatch,
  linkMatch,
  listMatchDecisions,
  restoreMatch,
  undoMatchDecision,
  unlinkMatch,
} from '#contract/matches.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { listDecided } from '../../store/matches/match-decisions.ts'
import { listRecentDecisions } from '../../store/matches/recent-decisions.ts'
import { createCompaniesFor } from '../../work/match/review/create-for-customers.ts'
import {
  isWaiting,
  type Reviewer,
  type ReviewOutcome,
  summaryOf,
} from '../../work/match/review/decide-each.ts'
import { acceptCompanies, ignoreCustomers } from '../../work/match/review/decide-many.ts'
import {
  createCompanyFor,
  ignoreCustomer,
  linkCustomer,
  type ReviewedOne,
  restoreCustomer,
  unlinkCustomer,
} from '../../work/match/review/review-match.ts'
import { undoableMs, undoDecision } from '../../work/match/review/undo-decision.ts'
import { decisionSubject } from '../decision-subject.ts'
import { matchStanding, rulesStanding } from '../standing.ts'

/** The page shows this many decisions. */
const recentMax = 20

export function serveDecisions(router: Router): void {
  serveSingle(router)

  serve(
    router,
    decideMatches,
    async (context, { body }) => {
      const { deps, organizationId } = context
      const by = reviewerOf(context)
      const reviewed =
        body.action === 'accept'
          ? await acceptCompanies(deps, organizationId, body.customers, by)
          : body.action === 'create'
            ? await createCompaniesFor(deps, organizationId, body.customers, {
                by,
                isOpen: isWaiting,
                isNameSearched: body.isNameSearched,
              })
            : await ignoreCustomers(
                deps,
                organizationId,
                body.customers.map(({ customerId }) => customerId),
                by,
              )
      const { decisionId, outcomes } = reviewed
      return { decisionId, message: summaryOf(body.action, reviewed), outcomes: outcomes.map(toWire) }
    },
    rulesStanding,
    ({ body }) => decisionSubject(body.action === 'accept' ? 'attach' : body.action, body.customers),
  )

  serve(router, listMatchDecisions, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const since = new Date(deps.now().getTime() - undoableMs)
      const recent = await listRecentDecisions(tenant, { since, limit: recentMax })
      return {
        decisions: recent.map(({ id, at, by, ...decision }) => ({
          ...decision,
          decisionId: id,
          decidedAt: at.toISOString(),
          decidedBy: by,
        })),
      }
    }),
  )

  serve(
    router,
    undoMatchDecision,
    async ({ deps, organizationId, role }, { body }) => {
      const { message, outcomes } = await undoDecision(deps, organizationId, body.decisionId, role)
      return { message, outcomes: outcomes.map(toWire) }
    },
    undefined,
    async ({ body }, tenant) => {
      const customers = await listDecided(tenant, body.decisionId)
      return customers.length === 0 ? null : decisionSubject('undo', customers)
    },
  )
}

function serveSingle(router: Router): void {
  serve(
    router,
    linkMatch,
    async (context, { params, body }) =>
      said(
        await linkCustomer(context.deps, context.organizationId, params.customerId, {
          companyRecordId: body.companyRecordId,
          remember: body.alwaysForDomain,
          seen: body.ifSeen,
          by: reviewerOf(context),
        }),
      ),
    matchStanding,
    ({ params: { customerId }, body: { companyRecordId, alwaysForDomain } }) =>
      decisionSubject(alwaysForDomain ? 'always' : 'attach', [{ customerId, companyRecordId }]),
  )
  serve(
    router,
    createMatchCompany,
    async (context, { params, body }) => {
      const { deps, organizationId } = context
      const { companyName, ifSeen } = body
      const by = reviewerOf(context)
      return said(await createCompanyFor(deps, organizationId, params.customerId, companyName, by, ifSeen))
    },
    undefined,
    ({ params }) => decisionSubject('create', [params]),
  )
  serve(
    router,
    unlinkMatch,
    async (context, { params, body }) => {
      const { deps, organizationId } = context
      const by = reviewerOf(context)
      return said(await unlinkCustomer(deps, organizationId, params.customerId, by, body?.ifSeen))
    },
    undefined,
    ({ params }) => decisionSubject('detach', [params]),
  )
  const plain = [
    [ignoreMatch, ignoreCustomer, 'ignore'],
    [restoreMatch, restoreCustomer, 'restore'],
  ] as const
  for (const [endpoint, decide, deed] of plain) {
    serve(
      router,
      endpoint,
      async (context, { params }) =>
        said(await decide(context.deps, context.organizationId, params.customerId, reviewerOf(context))),
      undefined,
      ({ params }) => decisionSubject(deed, [params]),
    )
  }
}

function reviewerOf({ session, role }: Context): Reviewer {
  return { userId: session.user.id, role }
}

function said({ message, company, decisionId }: ReviewedOne) {
  return { success: true as const, message, companyName: company?.name ?? null, decisionId }
}

function toWire({ isDone, message, company }: ReviewOutcome) {
  return { isDone, message, companyName: company?.name ?? null }
}
