import { declareSecret } from '../leaks.ts'
import { address } from './build-deps.ts'
import type { Bench } from './open-bench.ts'

const hubId = 24180001

/** The scopes for companies, contacts and the records of custom objects. */
export const recordScopes = ['companies', 'contacts', 'custom']
  .flatMap((noun) => [`crm.objects.${noun}.read`, `crm.objects.${noun}.write`])
  .concat('crm.schemas.companies.write')

/** The scopes for creating custom objects. */
export const objectScopes = ['crm.schemas.custom.read', 'crm.schemas.custom.write']

/** Makes a service key in the simulated portal, as an admin does in HubSpot's settings. It may be shown nowhere. */
export async function makeKey(
  { simulator }: Pick<Bench, 'simulator'>,
  key: { hubId?: number; scopes?: readonly string[] } = {},
): Promise<string> {
  const made = await simulator.fetch(
    new Request(`${address}/_control/service-key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hubId, scopes: [...recordScopes, ...objectScopes], ...key }),
    }),
  )
  const text = ((await made.json()) as { key: string }).key
  declareSecret('a service key of HubSpot', text)
  return text
}
