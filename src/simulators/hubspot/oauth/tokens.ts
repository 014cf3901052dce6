import { createHash } from 'node:crypto'
import type { AccessToken, AuthorizationCode, RefreshToken } from '../entities.ts'
import type { World } from '../world.ts'

/** The documented lifetime of an access token. */
export const accessTokenSeconds = 1_800
const codeLifeMs = 60_000

/**
 * A unique secret that cannot be guessed without the client secret. Its length varies, because HubSpot warns that the
 * length of its tokens does.
 */
function nextSecret(world: World, kind: string): string {
  const number = world.nextNumber('secret')
  const digest = (part: number) =>
    createHash('sha512')
      .update(`${world.settings.clientSecret}/${kind}/${number}/${part}`)
      .digest('base64url')
  const parts = Array.from({ length: 2 + (number % 5) }, (_, part) => digest(part))
  return `${kind}-${parts.join('')}`
}

export function issueCode(
  world: World,
  grant: Pick<AuthorizationCode, 'hubId' | 'redirectUri' | 'scopes' | 'codeChallenge'>,
): AuthorizationCode {
  const code = nextSecret(world, 'code')
  const issued: AuthorizationCode = { ...grant, code, expiresAt: world.now() + codeLifeMs, used: false }
  world.codes.put(code, issued)
  return issued
}

export function issueRefreshToken(world: World, hubId: number, scopes: readonly string[]): RefreshToken {
  const issued: RefreshToken = { token: nextSecret(world, 'refresh'), hubId, scopes, revoked: false }
  world.refreshTokens.put(issued.token, issued)
  return issued
}

export function issueAccessToken(world: World, refresh: RefreshToken): AccessToken {
  const issued: AccessToken = {
    token: nextSecret(world, 'access'),
    hubId: refresh.hubId,
    scopes: refresh.scopes,
    expiresAt: world.now() + accessTokenSeconds * 1_000,
    revoked: false,
  }
  world.accessTokens.put(issued.token, issued)
  return issued
}

/** Revokes one refresh token; access tokens expire by themselves. */
export function revokeRefreshToken(world: World, refresh: RefreshToken): void {
  world.refreshTokens.put(refresh.token, { ...refresh, revoked: true })
}

/** Uninstalls the app from a portal: all its tokens end at once. */
export function uninstall(world: World, hubId: number): void {
  for (const refresh of [...world.refreshTokens.values()]) {
    if (refresh.hubId === hubId && !refresh.revoked) revokeRefreshToken(world, refresh)
  }
  for (const access of [...world.accessTokens.values()]) {
    if (access.hubId === hubId && !access.revoked) {
      world.accessTokens.put(access.token, { ...access, revoked: true })
    }
  }
}
