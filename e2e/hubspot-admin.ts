import { declareSecret } from '#test/leaks.ts'
import type { BrowserWorld } from './world.ts'

/** What an admin does in the simulated HubSpot's settings. */

export const portalId = 24180001

/** The scopes of a key that may do everything that Tributary needs. */
export const keyScopes = ['companies', 'contacts', 'custom']
  .flatMap((noun) => [`crm.objects.${noun}.read`, `crm.objects.${noun}.write`])
  .concat('crm.schemas.companies.write', 'crm.schemas.custom.read', 'crm.schemas.custom.write')

/** One action in HubSpot's settings; throws unless it succeeds. */
export async function administer(
  { product }: BrowserWorld,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${product.hubspotUrl}/_control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** Makes a service key, which may be shown nowhere. */
export async function makeServiceKey(
  world: BrowserWorld,
  scopes: readonly string[] = keyScopes,
): Promise<string> {
  const { key } = await administer(world, 'service-key', { hubId: portalId, scopes })
  declareSecret('a service key of HubSpot', String(key))
  return String(key)
}
