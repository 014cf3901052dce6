import { Refusal } from '../../refusal.ts'
import type { createAuth, IdentityOptions } from './create-auth.ts'
import { hostedProviderId, isSameIssuer } from './hosted-identity.ts'

export type HostedAuth = ReturnType<typeof createHostedAuth>

type Auth = ReturnType<typeof createAuth>
type Handler = (request: Request) => Promise<Response>

/** While the hosted provider is away, it is asked at most this often. */
const askAgainMs = 5_000
const issuerMaxLength = 300

/**
 * The library reads the hosted provider's features only once, at its creation. This creates it again until the
 * provider has answered, so that a start while the provider is away repairs itself.
 */
export function createHostedAuth({ config, log, now }: IdentityOptions, create: () => Auth) {
  let auth = create()
  let askedAtMs = now().getTime()

  const isUsable = async (): Promise<boolean> => {
    const { socialProviders } = await auth.$context
    const provider = socialProviders.find(({ id }) => id === hostedProviderId)
    if (provider === undefined || config.oidc === null) return false
    if (isSameIssuer(provider.issuer, config.oidc.issuer)) return true
    const issuer = provider.issuer?.slice(0, issuerMaxLength)
    log.error({ issuer }, 'identity: the hosted provider names another issuer than OIDC_ISSUER; set this one')
    return false
  }

  return {
    current: (): Auth => auth,
    /** The handler for a call. Refuses calls that need the provider while it does not answer. */
    async forPath(path: string): Promise<Handler> {
      if (config.oidc === null || !/^\/(sign-in\/social|callback\/)/.test(path)) return auth.handler
      if (!(await isUsable()) && now().getTime() - askedAtMs >= askAgainMs) {
        askedAtMs = now().getTime()
        auth = create()
      }
      if (await isUsable()) return auth.handler
      const { hostname } = new URL(config.oidc.issuer)
      throw new Refusal(
        'provider_unavailable',
        `The sign-in at ${hostname} does not answer. Try again shortly.`,
        5,
      )
    },
  }
}
