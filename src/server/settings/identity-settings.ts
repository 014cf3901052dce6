import { canonicalEmail, canonicalHost } from '../email-address.ts'
import { isKnownProvider } from '../work/addresses/mail-providers.ts'
import { ConfigError } from './config-error.ts'

/** The hosted identity provider, as the settings name it. */
export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Domains whose addresses this issuer is believed about when it does not say whether they are verified. */
  trustedDomains: readonly string[]
}

type Given = {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
  OIDC_TRUSTED_DOMAINS?: string | undefined
}

/** Null without a hosted provider. Throws a ConfigError. */
export function readOidc(given: Given): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given
  const trustedDomains = readDomains(given.OIDC_TRUSTED_DOMAINS ?? '')
  if (!issuer || !clientId || !clientSecret) {
    if (trustedDomains.length === 0) return null
    throw new ConfigError('OIDC_TRUSTED_DOMAINS: needs OIDC_ISSUER, the provider that is trusted; set both')
  }
  requireSecure(issuer)
  requireOneTenant(issuer)
  return { issuer, clientId, clientSecret, trustedDomains }
}

function readDomains(text: string): string[] {
  const named = text.split(',').filter((part) => part.trim() !== '')
  return named.map((part) => {
    const host = canonicalHost(part)
    if (host === null)
      throw new ConfigError(
        'OIDC_TRUSTED_DOMAINS: must be domains such as example.com, with commas; name each subdomain by itself',
      )
    if (isKnownProvider(host))
      throw new ConfigError(
        'OIDC_TRUSTED_DOMAINS: must not name a public mail provider, where anybody gets an address; name your own domains only',
      )
    return host
  })
}

/** Without TLS, anybody on the network path could impersonate the identity provider. */
function requireSecure(issuer: string): void {
  const { protocol, hostname } = new URL(issuer)
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new ConfigError('OIDC_ISSUER: must begin with https://')
  }
}

/** The sign-in hosts of Entra ID: public, United States government, China, and the older names of these. */
const entraHosts =
  /^(?:login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn|chinacloudapi\.cn|microsoft\.com|windows\.net)|sts\.windows\.net)$/
const oneTenant = /^\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0\/?$/i
/** The tenant of all personal accounts, which `consumers` stands for. */
const everybodysTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Entra's shared addresses take everybody of every tenant, and the tokens name another issuer than the address.
 * Only the address with the id of one tenant names the issuer that the tokens name too.
 */
function requireOneTenant(issuer: string): void {
  const { hostname, pathname } = new URL(issuer)
  if (!entraHosts.test(hostname)) return
  if (oneTenant.test(pathname) && !pathname.toLowerCase().includes(everybodysTenant)) return
  const host = hostname.startsWith('login.') ? hostname : 'login.microsoftonline.com'
  throw new ConfigError(
    `OIDC_ISSUER: must name one tenant of Entra ID: enter https://${host}/TENANT-ID/v2.0 with the ` +
      'Directory (tenant) ID from the overview of your app registration',
  )
}

/** The addresses of OPERATOR_EMAILS, as accounts have them. Throws a ConfigError. */
export function readOperators(named: readonly string[]): string[] {
  return named.map((email) => {
    const address = canonicalEmail(email)
    if (address === null)
      throw new ConfigError('OPERATOR_EMAILS: must be addresses such as robin@example.com, with commas')
    return address
  })
}
