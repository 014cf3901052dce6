import { z } from 'zod'
import { canonicalEmail, emailHost } from '../../email-address.ts'

/** What an ID token or a user info answer says about a person (OpenID Connect Core 5.1). */
export const personClaims = z.looseObject({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.unknown().optional(),
  /** Entra ID's own: whether the tenant has proven to own the domain of the address. */
  xms_edov: z.unknown().optional(),
  name: z.string().nullish(),
  picture: z.string().nullish(),
})
export type PersonClaims = z.output<typeof personClaims>

/** An answer of the provider: yes or no, undefined if it does not answer. Every value other than true means no. */
type Statement = boolean | undefined

/** Whether the user info must be asked: the ID token lacks the address, or does not say whether it is verified. */
export function needsUserInfo(token: PersonClaims): boolean {
  return saysVerified(token) !== false && (!token.email || saysVerified(token) === undefined)
}

/**
 * The person's address in its one spelling, and whether the provider vouches for it. `info` is null when there is no user
 * info. A statement holds only for the address beside it, or for the only one.
 */
export function verifiedAddress(
  token: PersonClaims,
  info: PersonClaims | null,
  trustedDomains: readonly string[],
): { email: string | null; isVerified: boolean } {
  const sources = info === null ? [token] : [token, info]
  const speaker = sources.find((source) => saysVerified(source) !== undefined)
  const named = speaker?.email || token.email || info?.email || null
  const email = named === null ? null : (canonicalEmail(named) ?? named)
  if (email === null || sources.some((source) => saysVerified(source) === false))
    return { email, isVerified: false }
  if (speaker !== undefined) return { email, isVerified: true }
  const owned = sources.map(ownsDomain).find((said) => said !== undefined)
  return { email, isVerified: owned ?? isTrusted(email, trustedDomains) }
}

function saysVerified({ email_verified: said }: PersonClaims): Statement {
  return said === undefined || said === null ? undefined : said === true || said === 'true'
}

/** Entra ID sends a boolean, a number or a text. */
function ownsDomain({ xms_edov: said }: PersonClaims): Statement {
  return said === undefined || said === null ? undefined : [true, 'true', 1, '1'].includes(said as string)
}

/** A subdomain may belong to somebody else, so each is named by itself. */
function isTrusted(email: string, trustedDomains: readonly string[]): boolean {
  const host = canonicalEmail(email) === null ? null : emailHost(email)
  return host !== null && trustedDomains.includes(host)
}
