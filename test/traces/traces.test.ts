import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { createTraces } from '#server/open-telemetry.ts'
import { readTraces } from '#server/settings/trace-settings.ts'
import { traceAnswers } from '#server/traces.ts'
import { startImport } from '#server/work/import/start-import.ts'
import { openTestApp, type TestApp } from '../api/test-app.ts'
import { run as query } from '../database.ts'
import { stageWorkers, type WorkerStage } from '../worker-stage.ts'
import { type Collector, openCollector } from './collector.ts'

/** Writes a line for each module that a process loads to trace. The library of metrics loads the interface (`api`) anyway. */
const noteModules = `import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (/@opentelemetry.(?!api.)/.test(url)) process.stdout.write('LOADED ' + url + '\\n')
    return next(url, context)
  } })`
const noting = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noteModules)}` }

/** All that a span may say. */
const allowed = [
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'server.address',
  'tributary.organization.id',
  'tributary.run.id',
  'url.path',
]

let collector: Collector
let test: TestApp
let workers: WorkerStage
beforeAll(async () => {
  collector = await openCollector()
  test = await openTestApp()
  workers = await stageWorkers()
  workers.provider.release()
})
afterAll(async () => {
  await workers?.close()
  await test?.close()
  collector?.close()
})

/** Imports once in a worker with these settings, and returns what it printed. */
async function importBy(settings: Record<string, string>): Promise<string> {
  const { stage } = workers
  const { runId } = await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
  const worker = await workers.startProcess({ ...noting, ...settings })
  const status = async () =>
    (await query<{ status: string }>(stage.db.ownerUrl, 'select status from runs where id = $1', [runId]))[0]
      ?.status
  await expect.poll(status).toBe('completed')
  worker.child.kill('SIGTERM')
  await worker.ended
  return worker.output()
}

describe('traces', () => {
  it('are off without an address: no code of theirs is loaded, and nobody is called', async () => {
    expect(await importBy({})).not.toContain('LOADED')
    expect(collector.requests).toEqual([])
  })

  it('show a run with its requests to the provider below it, and no secret or id of the provider', async () => {
    const output = await importBy({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-wanted=a%20word',
    })
    expect(output).toContain('LOADED')
    expect(collector.requests.length).toBeGreaterThan(0)
    for (const { path, headers } of collector.requests)
      expect([path, headers['x-wanted']]).toEqual(['/v1/traces', 'a word'])
    const run = collector.spans.find(({ name }) => name === 'import') ?? expect.fail('no span of the run')
    expect(run.attributes).toMatchObject({ 'tributary.organization.id': expect.anything() })
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === run.spanId)
    expect(below.length).toBeGreaterThan(5)
    expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([run.traceId]))
    expect(below.map(({ name }) => name)).toContain('stripe GET /v1/invoices')
    expect(below[0]?.attributes['http.response.status_code']).toBe(200)
    const said = collector.spans.flatMap(({ attributes }) => Object.keys(attributes))
    expect([...new Set(said)].filter((key) => !allowed.includes(key))).toEqual([])
    expect(collector.text()).not.toMatch(/cus_|sub_|in_|il_|sk_test|starting_after|@/)
  })

  it('show a request by its route, never by the id in its path or by what it asks', async () => {
    collector.spans.length = 0
    const traces = createTraces({ url: `${collector.url}/v1/traces`, headers: {} }, 'server')
    const app = createApp(test.deps, { inSpan: traces.inSpan })
    const path = '/api/stripe/subscriptions/sub_somebodys?search=kim%40harbour.example'
    const answer = await app.fetch(
      new Request(`http://localhost:3000${path}`, { headers: { cookie: 'tributary.session=a-cookie' } }),
    )
    expect(answer.status).toBe(401)
    await traces.close()
    await expect.poll(() => collector.spans.length).toBe(1)
    expect(collector.spans[0]).toMatchObject({
      name: 'GET /api/stripe/subscriptions/:id',
      attributes: { 'http.route': '/api/stripe/subscriptions/:id', 'http.response.status_code': 401 },
    })
    expect(collector.text()).not.toMatch(/somebodys|harbour|a-cookie/)
  })

  it('show that a request failed, without the words of the error', async () => {
    collector.spans.length = 0
    const traces = createTraces({ url: `${collector.url}/v1/traces`, headers: {} }, 'server')
    const ask = traceAnswers(
      traces.inSpan,
      'hubspot',
      (request: Request) => request,
      async (_: Request): Promise<Response> => {
        throw new TypeError('kim@harbour.example was refused')
      },
    )
    const url = 'https://api.hubapi.com/crm/objects/2026-09/contacts/kim@harbour.example?idProperty=email'
    await expect(ask(new Request(url))).rejects.toThrow('kim@')
    await traces.close()
    await expect.poll(() => collector.spans.length).toBe(1)
    expect(collector.spans[0]).toMatchObject({
      name: 'hubspot GET /crm/objects',
      attributes: {
        'error.type': 'TypeError',
        'server.address': 'api.hubapi.com',
        'url.path': '/crm/objects',
      },
    })
    expect(collector.text()).not.toContain('kim@')
  })

  it('do not hold up the end of a process while the collector is away', async () => {
    const traces = createTraces({ url: 'http://127.0.0.1:1/v1/traces', headers: {} }, 'server')
    await traces.inSpan({ name: 'one', role: 'job', attributes: {} }, async () => {})
    await traces.close()
  })
})

describe('the settings of traces', () => {
  it.each(['a', 'a=%zz', 'a b=c', '=c'])('refuse the headers %j, without repeating them', (headers) => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://one.example', OTEL_EXPORTER_OTLP_HEADERS: headers }
    expect(() => readTraces(given)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: must be NAME=VALUE/)
  })

  it('need an address for headers', () => {
    expect(() => readTraces({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toThrow('set both')
    expect(readTraces({})).toBeNull()
  })
})
