import type { MatchSession } from './session.ts'

/** What is said of a contact that is gone. */
export function contactGone({ crm }: MatchSession['deps']): string {
  return `Somebody deleted this contact in ${crm.name}, so it is not created again. Restore it there if it should be.`
}

/** What is said of a customer whose company is gone. */
export function companyGone({ crm }: MatchSession['deps']): string {
  return `The company of this customer was deleted in ${crm.name}. Where no other is found, it waits in Match Review.`
}
