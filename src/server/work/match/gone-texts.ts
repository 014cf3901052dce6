import type { MatchSession } from './session.ts'

/** The text for a customer whose contact was deleted. */
export function contactGone({ crm }: MatchSession['deps']): string {
  return `Somebody deleted this contact in ${crm.name}, so it is not created again. Restore it there if it should be.`
}

/** The text for a customer whose company was deleted. */
export function companyGone({ crm }: MatchSession['deps']): string {
  return `The company of this customer was deleted in ${crm.name}. Where no other is found, it waits in Match Review.`
}
