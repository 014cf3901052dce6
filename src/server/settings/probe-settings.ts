import { ConfigError } from './config-error.ts'
import { realHubspot, realStripe } from './real-providers.ts'

/** An account to ask, by one of its own keys. */
type ProbedAccount = { apiUrl: string; key: string }

/** The accounts that `tributary probe` asks. Throws a ConfigError, before any call, for a key of another kind. */
export function readProbeSettings(
  environment: NodeJS.ProcessEnv,
  isLiveAllowed: boolean,
): { stripe: ProbedAccount | null; hubspot: ProbedAccount | null } {
  const stripeKey = environment['PROBE_STRIPE_KEY']?.trim()
  const hubspotKey = environment['PROBE_HUBSPOT_KEY']?.trim()
  if (!stripeKey && !hubspotKey) {
    throw new ConfigError('PROBE_STRIPE_KEY, PROBE_HUBSPOT_KEY: one of them must be a key of a test account')
  }
  if (stripeKey && !/^[rs]k_(?:test|live)_\w+$/.test(stripeKey)) {
    throw new ConfigError('PROBE_STRIPE_KEY: must be a secret or restricted key of one account')
  }
  if (stripeKey && /_live_/.test(stripeKey) && !isLiveAllowed) {
    throw new ConfigError('PROBE_STRIPE_KEY: is a live key; take a test key, or say --live')
  }
  const { STRIPE_API_URL, HUBSPOT_API_URL } = environment
  return {
    stripe: stripeKey ? { apiUrl: withoutSlash(STRIPE_API_URL || realStripe), key: stripeKey } : null,
    hubspot: hubspotKey
      ? { apiUrl: withoutSlash(HUBSPOT_API_URL || realHubspot.apiUrl), key: hubspotKey }
      : null,
  }
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}
