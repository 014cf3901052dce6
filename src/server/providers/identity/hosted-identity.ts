import { genericOAuth } from 'better-auth/plugins'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import { plainName } from '../../plain-name.ts'
import type { OidcSettings } from '../../settings/identity-settings.ts'
import { nameMaxLength } from './bodies.ts'
import { needsUserInfo, type PersonClaims, personClaims, verifiedAddress } from './verified-address.ts'

export const hostedProviderId = 'oidc'
const timeoutMs = 10_000
const pictureMaxLength = 2_000

/**
 * Sign-in by any OpenID provider: code flow with PKCE, state and nonce. The library checks the ID token's
 * signature, issuer, audience and nonce. We check that the token exists and that the user info belongs to it.
 */
export function hostedIdentity(oidc: OidcSettings, log: Log) {
  return genericOAuth({
    config: [
      {
        providerId: hostedProviderId,
        discoveryUrl: discoveryUrlOf(oidc.issuer),
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // A subject is unique only within its issuer (OpenID Connect Core 5.7).
        accountSubject: ({ profile }) => `${oidc.issuer} ${profile['sub']}`,
        getUserInfo: async ({ idToken, accessToken }) => {
          const proven = idToken === undefined ? null : claimsOf(idToken)
          if (proven === null) return null
          try {
            const info = needsUserInfo(proven) ? await askUserInfo(oidc, proven.sub, accessToken) : null
            return profileOf(proven, info, oidc)
          } catch (error) {
            log.error({ error }, 'identity: the user info of the hosted provider could not be used')
            return null
          }
        },
      },
    ],
  })
}

function profileOf(token: PersonClaims, info: PersonClaims | null, oidc: OidcSettings) {
  const { email, isVerified } = verifiedAddress(token, info, oidc.trustedDomains)
  return {
    id: token.sub,
    sub: token.sub,
    email,
    emailVerified: isVerified,
    name: nameOf(token.name || info?.name || email || ''),
    ...pictureOf(token.picture || info?.picture || '', oidc),
  }
}

/** People choose their names at most providers, with other limits than ours. */
function nameOf(claimed: string): string {
  return plainName(claimed).slice(0, nameMaxLength).toWellFormed()
}

/** The address of the person's picture, if our content policy allows browsers to load it. */
function pictureOf(picture: string, { issuer }: OidcSettings): { image?: string } {
  if (!URL.canParse(picture) || picture.length > pictureMaxLength) return {}
  const { protocol, origin } = new URL(picture)
  return protocol === 'https:' || origin === new URL(issuer).origin ? { image: picture } : {}
}

/** The claims of an ID token whose signature the library has checked. */
function claimsOf(idToken: string): PersonClaims | null {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  const parsed = personClaims.safeParse(jsonOf(payload))
  return parsed.success ? parsed.data : null
}

/**
 * The user info; null when the provider has none. Throws when it does not answer as it should, because what it
 * would say may be a no.
 */
async function askUserInfo(
  oidc: OidcSettings,
  subject: string,
  accessToken: string | undefined,
): Promise<PersonClaims | null> {
  const discovered = await fetch(discoveryUrlOf(oidc.issuer), { signal: AbortSignal.timeout(timeoutMs) })
  const { userinfo_endpoint: url } = z
    .looseObject({ userinfo_endpoint: z.url().optional() })
    .parse(await discovered.json())
  if (url === undefined) return null
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const info = personClaims.parse(answer.ok ? jsonOf(await answer.text()) : null)
  // The answer is not signed; its subject ties it to the ID token (OpenID Connect Core 5.3.2).
  if (info.sub !== subject) throw new Error('The user info is about another subject than the ID token.')
  return info
}

/** Whether two spellings name the same issuer. People set it with or without a slash at the end. */
export function isSameIssuer(discovered: string | undefined, configured: string): boolean {
  return discovered !== undefined && withoutSlashes(discovered) === withoutSlashes(configured)
}

/** Where OpenID Connect Discovery 1.0 puts the provider's document. */
export function discoveryUrlOf(issuer: string): string {
  return `${withoutSlashes(issuer)}/.well-known/openid-configuration`
}

function withoutSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
