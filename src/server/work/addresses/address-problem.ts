import { endingOf, readAddress } from './read-address.ts'
import { providerMeantBy } from './slip-of-provider.ts'

/** What a person has to correct in the customer's address in Stripe; null if we know of no problem. */
export function addressProblem(raw: string | null): string | null {
  const { email, kind, host } = readAddress(raw)
  if (kind === 'misspelled' && host !== null) {
    return `The address ${email} looks like a slip of the pen for ${providerMeantBy(host)}. Correct it in Stripe, or choose the company if it is right.`
  }
  if (kind !== 'invalid') return null
  return host === null
    ? `${raw?.trim()} cannot be an email address. Correct it in Stripe.`
    : `The address ${email} ends in .${endingOf(host)}, which is no top-level domain. Correct it in Stripe.`
}
