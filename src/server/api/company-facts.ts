import type { CandidateFacts } from '#contract/matches.ts'
import type { CompanyFacts } from '#domain/company.ts'

/** The facts of a company with their instants as the API writes them. */
export function factsToWire({ createdAt, lastActivityAt, ...counts }: CompanyFacts): CandidateFacts {
  return {
    ...counts,
    createdAt: createdAt?.toISOString() ?? null,
    lastActivityAt: lastActivityAt?.toISOString() ?? null,
  }
}
