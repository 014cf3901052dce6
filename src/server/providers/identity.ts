export type Role = 'owner' | 'admin' | 'member'

/** Who calls, as the identity provider knows it now: a membership that ended is gone on the next request. */
export type Session = {
  sessionId: number
  user: { id: number; name: string; email: string; emailVerified: boolean; imageUrl: string | null }
  organization: { id: number; name: string; role: Role } | null
}

export type IdentityPort = {
  /** The session behind the request's cookies, or null. */
  findSession(headers: Headers): Promise<Session | null>
  /** Answers the calls below /api/identity. */
  handle(request: Request): Promise<Response>
  /** Makes the organization the active one of the session; the caller has checked the membership. */
  setActiveOrganization(sessionId: number, organizationId: number): Promise<void>
}
