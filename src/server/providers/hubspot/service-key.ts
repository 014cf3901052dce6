import type { CrmPort, CrmScopePurpose } from '../crm.ts'
import { ProviderError } from '../provider-error.ts'
import { keyInfoAnswer } from './answers.ts'
import { hubspotScopes, objectScopes, ratesScope, splitScopes } from './app/scopes.ts'
import type { HubspotOptions } from './client.ts'
import { exchange } from './exchange.ts'
import { HubspotError, unanswered } from './hubspot-error.ts'
import { paths } from './version.ts'

const timeoutMs = 10_000

/** HubSpot adds this one to every key by itself. */
const givenScope = 'oauth'

const neededFor: Record<CrmScopePurpose, readonly string[]> = {
  connection: splitScopes().required.filter((scope) => scope !== givenScope),
  objects: objectScopes.filter((scope) => scope.includes('.schemas.')),
  records: objectScopes.filter((scope) => scope.includes('.objects.')),
  rates: [ratesScope],
}

/** What people confuse with a service key, by the forms that were seen of each. */
const wrongKinds: readonly [RegExp, string][] = [
  [/^(?:[srp]k_|whsec_)/, 'This is a key of Stripe.'],
  [
    /^Ci[\w+/=-]{60,}$/,
    "This is a personal access key of HubSpot's command line, which opens no account data.",
  ],
  [/^C[A-Z][\w-]{60,}$/, 'This is an access token of an app, which ends after half an hour.'],
  [/^(?:access|refresh)-/, 'This is a token of an app, which ends by itself.'],
  [
    /^[a-z]{2,4}\d{1,2}-[0-9a-f]{4}/i,
    'This is a developer key or a refresh token, which opens no account data.',
  ],
  [
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
    'This is the secret of an app or an API key of the old kind, which opens no account data.',
  ],
]

/** Looks at service keys, and knows the scopes that a key or a consent needs. */
export function createKeyCalls(
  options: HubspotOptions,
): Pick<CrmPort, 'inspectKey' | 'keyPlace' | 'keyScopes' | 'missingScopes' | 'wrongKindOfKey'> {
  return {
    keyPlace: 'Development > Keys > Service keys',
    wrongKindOfKey: (text) => wrongKinds.find(([form]) => form.test(text))?.[1] ?? null,
    // A key's scopes can be changed at any time, so nobody has to give it today what later work will need.
    keyScopes: hubspotScopes
      .filter(({ name, isOptional, isForObjects }) => name !== givenScope && (!isOptional || isForObjects))
      .map(({ name, use, isOptional }) => ({
        name,
        use,
        isOptional,
        makesObjects: neededFor.objects.includes(name),
      })),
    missingScopes: (scopes, purpose) => neededFor[purpose].filter((scope) => !scopes.includes(scope)),
    async inspectKey(key) {
      const parsed = keyInfoAnswer.safeParse(await askAbout(options, key))
      if (!parsed.success) throw unanswered()
      return { portalId: parsed.data.hubId, scopes: parsed.data.scopes }
    },
  }
}

/** The header too: seen live, HubSpot needs it for keys of the EU region. */
async function askAbout(options: HubspotOptions, key: string): Promise<unknown> {
  try {
    return await exchange(options.fetch, {
      method: 'POST',
      url: `${options.apiUrl}${paths.keyInfo}`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({ tokenKey: key }),
      timeoutMs,
    })
  } catch (error) {
    // Which status an unknown key gets is not documented.
    const isRefused = error instanceof HubspotError && [400, 401, 403, 404].includes(error.status)
    if (isRefused) throw new ProviderError('unauthorized', 'HubSpot does not know this key.')
    throw error
  }
}
