import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { addOneOfEverything } from '#test/store/seed.ts'

type Insider = Awaited<ReturnType<TestApp['signedIn']>>

let test: TestApp
let mango: Insider
let papaya: Insider
beforeAll(async () => {
  test = await openTestApp()
  mango = await test.signedIn('m@mango.test', 'Mango')
  papaya = await test.signedIn('p@papaya.test', 'Papaya')
  await addOneOfEverything(test.deps, mango.organizationId, 'mangosecret')
  await addOneOfEverything(test.deps, papaya.organizationId, 'papayasecret')
})
afterAll(() => test.close())

/** Every read of an organization's own data that needs no provider. */
const askProviders = [
  'verifyStripe',
  'verifyHubspot',
  'getHubspotAuthUrl',
  'getHubspotObjects',
  'checkHubspotObjects',
  'getHubspotAmounts',
  'getMatchForecast',
  'searchHubspotCompanies',
  'checkMissingAssociations',
]
const ids: Record<string, string> = {
  '/api/stripe/subscriptions/{id}': 'sub_1',
  '/api/mrr/receipts/subscriptions/{id}': 'sub_1',
  '/api/mrr/history/subscriptions/{id}': 'sub_1',
  '/api/mrr/history/customers/{customerId}': 'cus_1',
  '/api/customers/{customerId}': 'cus_1',
  '/api/customers/{customerId}/erasure-question': 'cus_1',
  '/api/invoices/{invoiceId}': 'in_1',
  '/api/mrr/receipts/{eventId}': 'evt_1',
  '/api/stripe/transactions/{eventId}/place': 'evt_1',
  '/api/erasures/{erasureId}': 'erasure_1',
  '/api/erasures/{erasureId}/certificate': 'erasure_1',
}
const queries: Record<string, string> = {
  '/api/matches/domain': '?domain=mangosecret.example',
  '/api/search': '?query=sub_1',
  '/api/sync/import-status/{id}/records': '?kind=event',
}
const reads = Object.entries(api)
  .filter(
    ([name, { method, access }]) =>
      method === 'GET' && access !== 'public' && access !== 'operator' && !askProviders.includes(name),
  )
  .map(([name, { path }]) => {
    const id = path.includes('{recountId}') ? '1' : (ids[path] ?? 'run_1')
    return [name, `${path.replace(/\{\w+\}/, id)}${queries[path] ?? ''}`] as const
  })

describe('two organizations with the same ids', () => {
  it.each(reads)('%s shows each its own and nothing of the other', async (_, path) => {
    const ofMango = await mango.get(path)
    const ofPapaya = await papaya.get(path)
    expect([ofMango.status, ofPapaya.status]).toEqual([200, 200])
    expect(ofMango.text).not.toContain('papaya')
    expect(ofPapaya.text).not.toContain('mango')
  })

  it('see their own words, so that the test can fail', async () => {
    const texts = await Promise.all(reads.map(async ([, path]) => (await mango.get(path)).text))
    expect(texts.filter((text) => text.includes('mangosecret')).length).toBeGreaterThan(8)
  })

  it('cannot stop each other', async () => {
    expect((await mango.post('/api/sync/cancel/run_1')).status).toBe(200)
    expect((await papaya.get('/api/sync/import-status/run_1')).body).toMatchObject({ status: 'in_progress' })
  })

  it('cannot be named by the caller', async () => {
    const forged = await mango.send('/api/settings/sync', {
      headers: { 'x-organization-id': String(papaya.organizationId) },
    })
    expect(forged.status).toBe(200)
    const active = await mango.post('/api/identity/organization/set-active', {
      organizationId: String(papaya.organizationId),
    })
    const unknown = await mango.post('/api/identity/organization/set-active', { organizationId: '99999' })
    expect([active.status, active.text]).toEqual([404, unknown.text])
    expect((await mango.get('/api/auth/current-user')).text).not.toContain('Papaya')
  })
})
