import { z } from 'zod'
import type { OidcSettings } from '../../settings/identity-settings.ts'
import { discoveryUrlOf, isSameIssuer } from './hosted-identity.ts'

const timeoutMs = 10_000

const document = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})

/** Why nobody could sign in with the hosted provider, in words for the operator; null when its document is complete. */
export async function findDiscoveryProblem(oidc: OidcSettings): Promise<string | null> {
  const { host } = new URL(oidc.issuer)
  let answer: Response
  let told: unknown
  try {
    answer = await fetch(discoveryUrlOf(oidc.issuer), { signal: AbortSignal.timeout(timeoutMs) })
    told = await answer.json().catch(() => null)
  } catch {
    return `${host} does not answer: correct OIDC_ISSUER, or look at DNS, firewall and proxy`
  }
  const { success, data } = document.safeParse(told)
  if (!answer.ok || !success) {
    return `${host} has no discovery document for this issuer (status ${answer.status}): correct OIDC_ISSUER`
  }
  if (isSameIssuer(data.issuer, oidc.issuer)) return null
  return `${host} names the issuer ${data.issuer.slice(0, 300)}: set OIDC_ISSUER to it`
}
