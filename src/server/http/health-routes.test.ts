import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { createApp } from '../app.ts'
import { createMetrics } from '../metrics.ts'
import { openDatabase } from '../store/postgres/database.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const ask = async (app: { fetch(request: Request): Response | Promise<Response> }, path: string) => {
  const answer = await app.fetch(new Request(`http://localhost:3000${path}`))
  return [answer.status, await answer.text()]
}

describe('health', () => {
  it('is ready while the database answers and is as new as the code', async () => {
    const app = createApp(test.deps)
    expect(await ask(app, '/healthz')).toEqual([200, 'ok'])
    expect(await ask(app, '/readyz')).toEqual([200, 'ready'])
  })

  it('is alive but not ready without the database, and says no more than that', async () => {
    const database = openDatabase({
      url: 'postgresql://nobody:secret@127.0.0.1:1/nothing',
      poolSize: 1,
      statementTimeoutMs: 1_000,
      onError: () => {},
    })
    const app = createApp({ ...test.deps, database })
    expect(await ask(app, '/healthz')).toEqual([200, 'ok'])
    expect(await ask(app, '/readyz')).toEqual([503, 'not ready'])
    await database.destroy()
  })

  it('asks the database once a second, however many ask', async () => {
    const asked: string[] = []
    const database = test.deps.database.withPlugin({
      transformQuery: ({ node }) => {
        asked.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const app = createApp({ ...test.deps, database })
    for (const path of ['/readyz', '/api/health']) {
      await ask(app, path)
      const once = asked.length
      expect(once).toBeGreaterThan(0)
      await Promise.all(Array.from({ length: 20 }, () => ask(app, path)))
      expect(asked.length).toBe(once)
    }
  })

  it('is not ready from the moment it is asked to stop', async () => {
    let isStopping = false
    const app = createApp(test.deps, { isStopping: () => isStopping })
    expect(await ask(app, '/readyz')).toEqual([200, 'ready'])
    isStopping = true
    expect(await ask(app, '/readyz')).toEqual([503, 'stopping'])
  })
})

describe('metrics', () => {
  it('count requests by route, never by the id in a path', async () => {
    const metrics = createMetrics()
    const app = createApp(test.deps, { metrics })
    await ask(app, '/api/stripe/subscriptions/sub_somebodys')
    const { text } = await metrics.render()
    expect(text).toContain(
      'tributary_http_request_duration_seconds_count{method="GET",route="/api/stripe/subscriptions/:id",status="401"} 1',
    )
    expect(text).not.toContain('somebodys')
  })

  it('are never shown on the product’s own port', async () => {
    const metrics = createMetrics()
    const answer = await createApp(test.deps, { metrics }).fetch(new Request('http://localhost:3000/metrics'))
    expect(await answer.text()).not.toContain('tributary_http')
  })

  it('tell how long changes took, and name the organization that waits longest', async () => {
    const metrics = createMetrics()
    metrics.observeLags({ organizationId: 1, to: 'ledger', seconds: [3, 4], waitingSeconds: 40 })
    metrics.observeLags({ organizationId: 2, to: 'crm', seconds: [12], waitingSeconds: 0 })
    // Another run of the same organization, for which nothing waits any more, takes nothing back at once.
    metrics.observeLags({ organizationId: 1, to: 'crm', seconds: [], waitingSeconds: 0 })
    const { text } = await metrics.render()
    expect(text).toContain('tributary_freshness_seconds_bucket{le="5",to="ledger"} 2')
    expect(text).toContain('tributary_freshness_seconds_bucket{le="15",to="crm"} 1')
    expect(text).toContain('tributary_freshness_worst_seconds{organization="1"} 40')
    expect(text).not.toContain('organization="2"')
  })

  it('count the answers of a provider, and those that never came', async () => {
    const metrics = createMetrics()
    const answers = [() => new Response('', { status: 429 }), () => Promise.reject(new Error('cut'))]
    const counted = metrics.countAnswers(
      'stripe',
      async (_url: string) => answers.shift()?.() ?? new Response(''),
    )
    await counted('http://stripe.test')
    await expect(counted('http://stripe.test')).rejects.toThrow('cut')
    const { text } = await metrics.render()
    expect(text).toContain('tributary_provider_answers_total{provider="stripe",status="429"} 1')
    expect(text).toContain('tributary_provider_answers_total{provider="stripe",status="0"} 1')
  })
})
