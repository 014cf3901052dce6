import { runMatching } from '#contract/matches.ts'
import { type Router, serve } from '../http/serve.ts'
import { matchCompanies } from '../work/match-companies.ts'

export function serveMatches(router: Router): void {
  serve(router, runMatching, ({ deps, organizationId, request }) =>
    matchCompanies(deps, organizationId, request.signal),
  )
}
