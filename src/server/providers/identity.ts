import type { Role } from '#domain/membership.ts'

/** Who calls, as the identity provider knows it now: a membership that ended is gone on the next request. */
export type Session = {
  sessionId: number
  user: { id: number; name: string; email: string; emailVerified: boolean; imageUrl: string | null }
  organization: { id: number; name: string; role: Role } | null
  /** To be sent with the answer: the session's cookie, where its time was extended. */
  cookies: readonly string[]
}

export type IdentityPort = {
  /** The session behind the request's cookies, or null. */
  findSession(headers: Headers): Promise<Session | null>
  /** What the request carries for a session, if anything: tells requests apart, and proves nothing. */
  sessionCookie(headers: Headers): string | undefined
  /** Answers the calls below /api/identity that are named in `isServed`. */
  handle(request: Request): Promise<Response>
  /**
   * Makes the organization the active one of the request's session, under a new token; the caller has checked the
   * membership. Returns the cookies to send.
   */
  switchOrganization(headers: Headers, organizationId: number | null): Promise<string[]>
  /**
   * Lets the caller go on only who proves once more who they are: by their password, or, where a hosted provider keeps it,
   * by having signed in within the last minutes. Wrong passwords are counted as at the sign-in.
   */
  requireProof(
    headers: Headers,
    proof: { password: string; email: string; address: string | null },
  ): Promise<void>
}
