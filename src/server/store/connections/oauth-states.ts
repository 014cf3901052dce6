import type { Tenant } from '../postgres/database.ts'

export type OauthState = {
  stateHash: string
  userId: number
  sessionId: number
  returnTo: string
  expiresAt: Date
}

/** Saves a state, and deletes the organization's expired ones. */
export async function saveOauthState(tenant: Tenant, state: OauthState, at: Date): Promise<void> {
  await tenant.sql
    .deleteFrom('oauth_states')
    .where('organization_id', '=', tenant.organizationId)
    .where('expires_at', '<=', at)
    .execute()
  await tenant.sql
    .insertInto('oauth_states')
    .values({
      organization_id: tenant.organizationId,
      state_hash: state.stateHash,
      user_id: state.userId,
      session_id: state.sessionId,
      return_to: state.returnTo,
      expires_at: state.expiresAt,
    })
    .execute()
}

/** Removes a state, so that it works only once; undefined if this organization has no such state. */
export async function takeOauthState(tenant: Tenant, stateHash: string): Promise<OauthState | undefined> {
  const row = await tenant.sql
    .deleteFrom('oauth_states')
    .where('organization_id', '=', tenant.organizationId)
    .where('state_hash', '=', stateHash)
    .returningAll()
    .executeTakeFirst()
  return (
    row && {
      stateHash: row.state_hash,
      userId: row.user_id,
      sessionId: row.session_id,
      returnTo: row.return_to,
      expiresAt: row.expires_at,
    }
  )
}

/** Invalidates the consents that this user started and may no longer finish. */
export async function forgetOauthStates(tenant: Tenant, userId: number): Promise<void> {
  await tenant.sql
    .deleteFrom('oauth_states')
    .where('organization_id', '=', tenant.organizationId)
    .where('user_id', '=', userId)
    .execute()
}
