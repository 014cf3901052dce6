import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { describe, expect, it } from 'vitest'
import { type ConnectedApp, connect, openBench } from '../test-client.ts'

const companies = '/crm/objects/2026-09/companies'
const order = (app: ConnectedApp, fault: object) => app.send('POST', '/_faults', fault)
const create = (app: ConnectedApp) => app.call('POST', companies, { properties: { name: 'Acme' } })
const count = (app: ConnectedApp) => app.simulator.portal(24180001).records('0-2').length

describe('ordered faults', () => {
  it('hit the nth matching request, as many times as told, and no other', async () => {
    const app = await connect()
    const match = { pathPrefix: companies, method: 'post', nth: 2, times: 2 }
    await order(app, { match, kind: 'status', status: 503 })
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) {
      statuses.push((await create(app)).status)
      expect((await app.call('GET', companies)).status).toBe(200)
    }
    expect(statuses).toEqual([201, 503, 503, 201])
    expect(count(app)).toBe(2)
  })

  it.each([
    [{ kind: 'status', status: 477, retryAfter: '3600' }, 477, 0],
    [{ kind: 'status', status: 423 }, 423, 0],
    [{ kind: 'rate_limit', policyName: 'DAILY' }, 429, 0],
    [{ kind: 'html' }, 502, 0],
    [{ kind: 'empty' }, 200, 0],
    [{ kind: 'unread' }, 207, 0],
    [{ kind: 'unread', category: 'PENDING' }, 202, 0],
    [{ kind: 'slow', delayMs: 1 }, 201, 1],
    [{ kind: 'lost_answer', status: 504 }, 504, 1],
  ])('%o answers %i and leaves %i records', async (fault, status, written) => {
    const app = await connect()
    await order(app, fault)
    const answer = await create(app)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-simulated-fault')).toBe(fault.kind)
    expect(answer.headers.get('retry-after')).toBe('retryAfter' in fault ? '3600' : null)
    expect(count(app)).toBe(written)
  })

  it('truncate an answer after the write', async () => {
    const app = await connect()
    await order(app, { kind: 'truncate', match: { pathPrefix: companies } })
    await expect(create(app)).rejects.toThrow(SyntaxError)
    expect(count(app)).toBe(1)
  })

  it.each([
    ['reset', 0],
    ['lost_answer', 1],
  ])('%s drops the connection and leaves %i records', async (kind, written) => {
    const app = await connect()
    await order(app, { kind, match: { pathPrefix: companies } })
    await expect(create(app)).rejects.toThrow('fetch failed')
    expect(count(app)).toBe(written)
  })

  it.each(['reset', 'lost_answer'])('%s cuts the connection of a real server once', async (kind) => {
    const bench = openBench()
    const server = serve({ fetch: bench.simulator.fetch, port: 0, hostname: '127.0.0.1' })
    await once(server, 'listening')
    const bound = server.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    await bench.send('POST', '/_faults', { kind })
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    server.close()
  })

  it('are refused when they are unknown, listed, and switched off', async () => {
    const app = await connect()
    expect((await order(app, { kind: 'explode' })).status).toBe(400)
    await order(app, { kind: 'status', match: { times: null } })
    expect((await app.send('GET', '/_faults')).body.results).toHaveLength(1)
    expect((await create(app)).status).toBe(500)
    await app.send('DELETE', '/_faults')
    expect((await create(app)).status).toBe(201)
  })
})

describe('the ledger', () => {
  it('counts requests by route, with inputs and statuses', async () => {
    const app = await connect()
    const inputs = [{ properties: { name: 'A' } }, { properties: { name: 'B' } }]
    const { body } = await app.call('POST', `${companies}/batch/create`, { inputs })
    await app.call('GET', `${companies}/${body.results[0].id}`)
    await app.call('GET', `${companies}/5`)
    const { byRoute } = (await app.send('GET', '/_requests')).body
    expect(byRoute[`POST ${companies}/batch/create`]).toEqual({
      requests: 1,
      inputs: 2,
      statuses: { 201: 1 },
    })
    expect(byRoute[`GET ${companies}/{id}`].statuses).toEqual({ 200: 1 })
    expect(app.simulator.requests.list(companies)).toHaveLength(3)
  })

  it('can be cleared', async () => {
    const bench = openBench()
    await bench.send('GET', '/')
    await bench.send('DELETE', '/_requests')
    expect((await bench.send('GET', '/_requests')).body).toEqual({ total: 0, byRoute: {} })
  })
})
