import { genericOAuth } from 'better-auth/plugins'
import { z } from 'zod'
import type { Config } from '../../config.ts'

export const hostedProviderId = 'oidc'
const timeoutMs = 10_000
const pictureMaxLength = 2_000

type Oidc = NonNullable<Config['oidc']>

const claims = z.looseObject({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
})
type Claims = z.output<typeof claims>

/**
 * Sign-in by any OpenID provider: code flow with PKCE, state and nonce. The library checks the ID token's
 * signature, issuer, audience and nonce. We check that the token exists and that the user info belongs to it.
 */
export function hostedIdentity(oidc: Oidc) {
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
          const told = proven.email === undefined ? await askUserInfo(oidc, accessToken) : proven
          return told === null || told.sub !== proven.sub ? null : profileOf(told, oidc)
        },
      },
    ],
  })
}

function profileOf(told: Claims, oidc: Oidc) {
  return {
    id: told.sub,
    sub: told.sub,
    email: told.email ?? null,
    emailVerified: told.email_verified === true || told.email_verified === 'true',
    name: told.name ?? told.email ?? '',
    ...pictureOf(told, oidc),
  }
}

/** The address of the person's picture, if our content policy allows browsers to load it. */
function pictureOf({ picture = '' }: Claims, { issuer }: Oidc): { image?: string } {
  if (!URL.canParse(picture) || picture.length > pictureMaxLength) return {}
  const { protocol, origin } = new URL(picture)
  return protocol === 'https:' || origin === new URL(issuer).origin ? { image: picture } : {}
}

/** The claims of an ID token whose signature the library has checked. */
function claimsOf(idToken: string): Claims | null {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  const parsed = claims.safeParse(jsonOf(payload))
  return parsed.success ? parsed.data : null
}

async function askUserInfo(oidc: Oidc, accessToken: string | undefined): Promise<Claims | null> {
  const discovered = await fetch(discoveryUrlOf(oidc.issuer), { signal: AbortSignal.timeout(timeoutMs) })
  const { userinfo_endpoint: url } = z
    .looseObject({ userinfo_endpoint: z.url() })
    .parse(await discovered.json())
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parsed = claims.safeParse(answer.ok ? jsonOf(await answer.text()) : null)
  return parsed.success ? parsed.data : null
}

/** Whether two spellings name the same issuer. People set it with or without a slash at the end. */
export function isSameIssuer(discovered: string | undefined, configured: string): boolean {
  return discovered !== undefined && withoutSlashes(discovered) === withoutSlashes(configured)
}

function discoveryUrlOf(issuer: string): string {
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
