import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ConnectedApp, connect, createOrders, install, openBench } from './test-client.ts'

let folder = ''
let journalPath = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hubspot-journal-'))
  journalPath = join(folder, 'portals.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true }))

const upsert = (app: ConnectedApp, orders: string, keys: readonly string[]) =>
  app.call('POST', `/crm/objects/2026-09/${orders}/batch/upsert`, {
    inputs: keys.map((id) => ({ id, idProperty: 'order_key', properties: { title: `Order ${id}` } })),
  })

it('gives back everything that was answered when a new instance opens the file', async () => {
  const app = await connect({ journalPath })
  const orders = await createOrders(app)
  await upsert(app, orders, ['a', 'b'])
  const company = await app.call('POST', '/crm/objects/2026-09/companies', { properties: { name: 'Acme' } })
  const [first] = app.simulator.portal(24180001).records(orders)
  await app.call('POST', `/crm/associations/2026-09/${orders}/companies/batch/associate/default`, {
    inputs: [{ from: { id: first?.id }, to: { id: company.body.id } }],
  })
  const { accessToken } = await install(app)

  // The first instance closes nothing, like a killed process.
  const reopened = openBench({ journalPath })
  const before = app.simulator.portal(24180001)
  const after = reopened.simulator.portal(24180001)
  expect(after.records(orders)).toEqual(before.records(orders))
  expect(after.associations('0-2', orders)).toEqual(before.associations('0-2', orders))
  const again: ConnectedApp = {
    ...reopened,
    call: (method, path, body) => reopened.send(method, path, body, accessToken),
  }
  const { body } = await upsert(again, orders, ['b', 'c'])
  const isNew = body.results.map((result: { new: boolean }) => result.new)
  expect(isNew.sort()).toEqual([false, true])
  const ids = after.records(orders).map((record) => record.id)
  expect(new Set(ids).size).toBe(3)
  expect((await again.call('POST', '/crm-object-schemas/2026-09/schemas', { name: 'order' })).status).toBe(
    409,
  )
})

it('appends one whole line for each request that changed something, and none for reads', async () => {
  const app = await connect({ journalPath })
  const orders = await createOrders(app)
  const lines = () => readFileSync(journalPath, 'utf8').split('\n').length
  const before = lines()
  await upsert(app, orders, ['a', 'b', 'c'])
  await app.call('GET', `/crm/objects/2026-09/${orders}`)
  expect(lines()).toBe(before + 1)
})

it('ignores a line that was cut by the crash, and is compact after the next start', async () => {
  const app = await connect({ journalPath })
  const orders = await createOrders(app)
  for (let at = 0; at < 20; at++) await upsert(app, orders, ['a'])
  appendFileSync(journalPath, '[["records","24180001/2-1/1",{"hub')
  const sizeBefore = readFileSync(journalPath).length
  const reopened = openBench({ journalPath })
  expect(reopened.simulator.portal(24180001).records(orders)).toHaveLength(1)
  expect(readFileSync(journalPath).length).toBeLessThan(sizeBefore)
  const third = openBench({ journalPath })
  expect(third.simulator.portal(24180001).records(orders)).toHaveLength(1)
})

it('seeds a portal once', () => {
  const seedFrom = { companies: [{ name: 'Acme', domain: 'acme.example' }], contacts: [] }
  openBench({ journalPath, seedFrom })
  expect(openBench({ journalPath, seedFrom }).simulator.portal(24180001).records('0-2')).toHaveLength(1)
})
