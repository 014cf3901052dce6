import { consent } from '../tools/consent.ts'

export type PortalRecord = { id: string; properties: Record<string, string | null> }

/** Reads the simulated HubSpot as another installed app would, with its own grant. */
export type PortalReader = {
  records(objectType: string, properties: string[]): Promise<PortalRecord[]>
  /** For each of these records, the ids of its associated records of another type. */
  associations(from: string, to: string, ids: string[]): Promise<Map<string, string[]>>
  objectTypeId(name: string): Promise<string>
  /** Removes associations, as somebody in HubSpot might. */
  takeApart(from: string, to: string, ties: ReadonlyMap<string, readonly string[]>): Promise<void>
}

const scopes = [
  'oauth',
  'crm.schemas.custom.read',
  'crm.objects.custom.read',
  'crm.objects.custom.write',
  'crm.objects.companies.read',
  'crm.objects.contacts.read',
]

export async function openPortal(hubspotUrl: string): Promise<PortalReader> {
  const authorize = new URL('/oauth/authorize', hubspotUrl)
  const redirectUri = 'http://localhost/callback'
  authorize.search = String(
    new URLSearchParams({
      client_id: 'tributary-demo',
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state: 'x',
    }),
  )
  const code = new URL(await consent(authorize.href)).searchParams.get('code') ?? ''
  const exchange = await fetch(new URL('/oauth/2026-09/token', hubspotUrl), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: 'tributary-demo',
      client_secret: 'tributary-demo-secret',
    }),
  })
  const { access_token: token } = (await exchange.json()) as { access_token: string }
  const call = (path: string, body?: unknown) => callPatiently(new URL(path, hubspotUrl), token, body)
  return {
    objectTypeId: async (name) => {
      const { results } = (await call('/crm-object-schemas/2026-09/schemas')) as {
        results: { name: string; objectTypeId: string }[]
      }
      return results.find((schema) => schema.name === name)?.objectTypeId ?? `no schema ${name}`
    },
    records: async (type, properties) => {
      const records: PortalRecord[] = []
      let after = ''
      do {
        const query = new URLSearchParams({
          limit: '100',
          properties: properties.join(','),
          ...(after && { after }),
        })
        const page = (await call(`/crm/objects/2026-09/${type}?${query}`)) as {
          results: PortalRecord[]
          paging?: { next?: { after?: string } }
        }
        records.push(...page.results)
        after = page.paging?.next?.after ?? ''
      } while (after)
      return records
    },
    takeApart: async (from, to, ties) => {
      const inputs = [...ties].map(([id, targets]) => ({
        from: { id },
        to: targets.map((one) => ({ id: one })),
      }))
      await call(`/crm/associations/2026-09/${from}/${to}/batch/archive`, { inputs })
    },
    associations: async (from, to, ids) => {
      const found = new Map<string, string[]>()
      for (let start = 0; start < ids.length; start += 1000) {
        const inputs = ids.slice(start, start + 1000).map((id) => ({ id }))
        const page = (await call(`/crm/associations/2026-09/${from}/${to}/batch/read`, { inputs })) as {
          results: { from: { id: string }; to: { toObjectId: string | number }[] }[]
        }
        for (const result of page.results)
          found.set(
            result.from.id,
            result.to.map((each) => String(each.toObjectId)),
          )
      }
      return found
    },
  }
}

/** The reader shares the portal's limits with the product, and waits when HubSpot asks for it. */
async function callPatiently(url: URL, token: string, body?: unknown): Promise<unknown> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return answer.json()
    if (answer.status !== 429) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
    await new Promise((next) => setTimeout(next, 1_000))
  }
  throw new Error(`${url.pathname}: the limit does not end`)
}
