import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'

const keyMaxLength = 500
/** The key as it will be sent: people paste it with spaces, line breaks and invisible characters. */
export function readServiceKey({ crm }: Pick<Deps, 'crm'>, input: string): string {
  const { name, keyPlace } = crm
  const key = input.replace(/[\s\p{Cf}]/gu, '')
  if (key === '') throw new Refusal('invalid_request', `Please enter a ${name} service key.`)
  const wrongKind = crm.wrongKindOfKey(key)
  if (wrongKind !== null) {
    const advice = `Enter a service key instead: an admin makes one in ${name} under ${keyPlace}.`
    throw new Refusal('invalid_request', `${wrongKind} ${advice}`)
  }
  if (!/^[A-Za-z0-9_-]+$/.test(key) || key.length > keyMaxLength) {
    throw new Refusal(
      'invalid_request',
      `This is not a complete key of ${name}: it is too long, or has characters that are not letters, digits, - or _. Copy it from ${name} again.`,
    )
  }
  return key
}

/** Asks the CRM whose key it is and what it may do. A key that the CRM does not know is a Refusal. */
export async function inspectServiceKey(
  { crm }: Pick<Deps, 'crm'>,
  serviceKey: string,
): Promise<{ portalId: string; scopes: string[] }> {
  try {
    return await crm.inspectKey(serviceKey)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'unauthorized')) throw error
    throw new Refusal(
      'provider_refused',
      `${crm.name} does not know this key: it was rotated or deleted, or is not a service key. Copy the key again from ${crm.name}, ${crm.keyPlace}.`,
    )
  }
}

/** Names each scope that the key lacks, and where to add it. */
export function lackingScopes({ crm }: Pick<Deps, 'crm'>, missing: readonly string[]): Refusal {
  const scopes = missing.length === 1 ? 'the scope' : `${missing.length} scopes`
  return new Refusal(
    'provider_refused',
    `This key lacks ${scopes} ${missing.join(', ')}. Add ${missing.length === 1 ? 'it' : 'them'} to the key in ${crm.name} under ${crm.keyPlace}, then try again.`,
  )
}
