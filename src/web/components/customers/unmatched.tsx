import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { matchStateLabels } from '#contract/lists/list-words.ts'
import type { MatchState } from '#domain/company.ts'
import { paths } from '../../paths.ts'

/** Says how it stands with the company of a customer that has none; empty for one that has. */
export function unmatchedText(state: MatchState): string {
  return state === 'linked' ? '' : matchStateLabels[state]
}

type ChooseCompanyProps = { customerId: string; state: MatchState; text?: string }

/** What an address of Match Review carries to open the dialog of a customer. */
export type ReviewAsked = { reviewed: string }

/** The list of Match Review in which the customer is found. */
export function reviewPathOf(customerId: string, state: MatchState): string {
  const ofState = state === 'pending' ? {} : { state }
  return `${paths.matchReview}?${new URLSearchParams({ search: customerId, ...ofState })}`
}

/** Leads to the list of Match Review in which the customer is found. */
export function ChooseCompany({ customerId, state, text = 'Choose the company' }: ChooseCompanyProps) {
  return (
    <Anchor component={Link} size="sm" to={reviewPathOf(customerId, state)}>
      {text}
    </Anchor>
  )
}
