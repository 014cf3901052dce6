import type { Role } from '#domain/membership.ts'

/**
 * The caller, as the identity provider knows them now. An ended membership has no effect from the next request on.
 */
export type Session = {
  sessionId: number
  user: {
    id: number
    name: string
    email: string
    emailVerified: boolean
    imageUrl: string | null
    hasSecondFactor: boolean
  }
  organization: { id: number; name: string; role: Role } | null
  /** Cookies for the answer: the session's cookie, when its time was extended. */
  cookies: readonly string[]
}

export type IdentityPort = {
  /** The session of the request's cookies, or null. */
  findSession(headers: Headers): Promise<Session | null>
  /** The session token that the request carries, if any. It distinguishes requests but proves nothing. */
  sessionCookie(headers: Headers): string | undefined
  /** Whether a visitor may enter the demo workspace without a password, and it exists. */
  hasDemo(): Promise<boolean>
  /** Answers calls below /api/identity that `isServed` accepts. */
  handle(request: Request): Promise<Response>
  /**
   * Makes the organization active in the request's session, under a new token. The caller must have checked the
   * membership. Returns the cookies to send.
   */
  switchOrganization(headers: Headers, organizationId: number | null): Promise<string[]>
  /**
   * Requires fresh proof of identity: the password or, with a hosted provider, a sign-in within the last minutes.
   * Wrong passwords count as at the sign-in.
   */
  requireProof(
    headers: Headers,
    proof: { password: string; email: string; address: string | null },
  ): Promise<void>
}
