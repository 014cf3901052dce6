import type { HubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { declareSecret } from '../leaks.ts'
import { address } from './build-deps.ts'
import { type Bench, enterprise } from './open-bench.ts'

/** The scopes for companies, contacts and the records of custom objects. */
export const recordScopes = ['companies', 'contacts', 'custom']
  .flatMap((noun) => [`crm.objects.${noun}.read`, `crm.objects.${noun}.write`])
  .concat('crm.schemas.companies.write')

/** The scopes for creating custom objects. */
export const objectScopes = ['crm.schemas.custom.read', 'crm.schemas.custom.write']

const everyScope = [...recordScopes, ...objectScopes]

/** Makes a service key in the bench's portal. */
export function makeKey(
  { simulator }: Pick<Bench, 'simulator'>,
  { hubId = enterprise, scopes = everyScope }: { hubId?: number; scopes?: readonly string[] } = {},
): Promise<string> {
  return makeKeyIn(simulator, hubId, scopes)
}

/** Makes a service key in a simulated portal, as an admin does in HubSpot's settings. It may be shown nowhere. */
export async function makeKeyIn(
  simulator: HubspotSimulator,
  hubId: number,
  scopes: readonly string[] = everyScope,
): Promise<string> {
  const made = await simulator.fetch(
    new Request(`${address}/_control/service-key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hubId, scopes }),
    }),
  )
  const text = ((await made.json()) as { key: string }).key
  declareSecret('a service key of HubSpot', text)
  return text
}
