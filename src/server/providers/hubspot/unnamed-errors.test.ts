import { expect, it } from 'vitest'
import { splitScopes } from './app/scopes.ts'
import { createHubspotCrm } from './create-hubspot-crm.ts'

type Input = { id: string; properties: Record<string, string>; objectWriteTraceId: string }

/** Upserts rows to a HubSpot that refuses some and does not say in the error which. */
async function upsert(keys: readonly string[], refused: readonly string[], message: string) {
  const standing = new Set<string>()
  let requests = 0
  const crm = createHubspotCrm({
    fetch: async (request) => {
      const { inputs } = JSON.parse(await request.text()) as { inputs: Input[] }
      const record = (id: string) => ({ id: `record ${id}`, properties: { tributary_event_id: id } })
      if (request.url.endsWith('/read'))
        return Response.json({ results: inputs.flatMap(({ id }) => (standing.has(id) ? record(id) : [])) })
      requests += 1
      const good = inputs.filter(({ id }) => !refused.includes(id))
      for (const { id } of good) standing.add(id)
      const errors = good.length < inputs.length ? [{ status: 'error', message }] : []
      const body = { status: 'COMPLETE', results: good.map(({ id }) => record(id)), errors }
      return Response.json(body, { status: errors.length > 0 ? 207 : 200 })
    },
    ...{ apiUrl: 'http://api.hubspot.test', appUrl: 'http://app.hubspot.test' },
    ...{ clientId: 'client', clientSecret: 'secret', scopes: splitScopes() },
    now: () => new Date(0),
    sleep: async () => {},
    paces: {
      take: async () => ({ waitMs: 0, isTaken: true }),
      pause: async () => {},
      slowDown: async () => {},
    },
  })
  const rows = keys.map((key) => ({ key, values: { eventId: key }, isNew: false }))
  const access = { portalId: '1', token: async () => 'token' }
  const outcomes = await crm.upsertRecords(access, 'event', '2-1', rows)
  const said = outcomes.map(({ key, state, ...rest }) => [
    key,
    'message' in rest ? `${state}: ${rest.message}` : state,
  ])
  return { said: Object.fromEntries(said) as Record<string, string>, requests }
}

it('finds the row of an error that names none, with its reason', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => `event${n}`)
  const { said, requests } = await upsert(keys, ['event7', 'event70'], 'mrr_change breaks a rule')
  expect(Object.keys(said)).toHaveLength(100)
  expect(Object.entries(said).filter(([, state]) => state !== 'written')).toEqual([
    ['event7', 'refused: mrr_change breaks a rule'],
    ['event70', 'refused: mrr_change breaks a rule'],
  ])
  expect(requests).toBeLessThan(30)
})

it('takes the error of a row that was sent alone for its own', async () => {
  expect((await upsert(['one'], ['one'], 'It breaks a rule')).said).toEqual({
    one: 'refused: It breaks a rule',
  })
})
