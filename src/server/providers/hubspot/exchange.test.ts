import { expect, it } from 'vitest'
import { exchange } from './exchange.ts'

const ask = (answer: Response) =>
  exchange(async () => answer, {
    method: 'POST',
    url: 'http://api.hubspot.test/crm/objects/2026-09/2-7/batch/read?archived=false',
    headers: {},
    timeoutMs: 1_000,
  })
const headers = { 'x-hubspot-correlation-id': 'correlation-2' }

it('tells which request failed, and its id from the header where the body has none', async () => {
  const request = { method: 'POST', path: '/crm/objects/2026-09/{id}/batch/read' }
  await expect(ask(new Response('<html>', { status: 400, headers }))).rejects.toMatchObject({
    kind: 'unavailable',
    request: { ...request, status: 400, id: 'correlation-2' },
  })
  const body = { correlationId: 'correlation-1', category: 'VALIDATION_ERROR' }
  await expect(ask(Response.json(body, { status: 409, headers }))).rejects.toMatchObject({
    request: { ...request, status: 409, id: 'correlation-1', code: 'VALIDATION_ERROR' },
  })
  await expect(ask(new Response('<html>'))).rejects.toMatchObject({ request })
})
