import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { addConnections, addRun, addSubscription } from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'

let test: TestApp
let browser: Awaited<ReturnType<TestApp['signedIn']>>
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ann@steps.test', 'Steps')
})
afterAll(() => test.close())

const change = (work: (tenant: Tenant) => Promise<void>) =>
  inOrganization(test.deps.database, browser.organizationId, work)
const save = (body: object) => browser.patch('/api/setup/progress', body)

describe('the progress of the setup', () => {
  it('moves by steps', async () => {
    expect((await save({ currentStep: 'stripe' })).body).toMatchObject({ currentStep: 'stripe' })
    expect((await save({ currentStep: 'nowhere' })).status).toBe(400)
  })

  it.each([{ dataImported: true }, { dataSynced: true }, { setupComplete: true }])(
    'refuses %j before it is earned',
    async (body) => {
      const refused = await save(body)
      expect([refused.status, refused.body]).toEqual([
        409,
        { error: { code: 'not_earned', message: expect.any(String) } },
      ])
    },
  )

  it('takes no count from the request', async () => {
    expect((await save({ syncedSubscriptions: 7, syncedTransactions: 8 })).body).toMatchObject({
      syncedSubscriptions: 0,
      syncedTransactions: 0,
    })
  })

  it('is earned by what was done', async () => {
    await change(async (tenant) => {
      await addConnections(tenant)
      await addSubscription(tenant, { id: 'sub_1' })
      await addRun(tenant, { id: 'import_1', kind: 'import', status: 'completed' })
    })
    expect((await save({ dataImported: true })).body).toMatchObject({ dataImported: true, dataSynced: false })
    await change((tenant) => addRun(tenant, { id: 'push_1', kind: 'push', status: 'completed' }))
    expect((await save({ currentStep: 'finish', setupComplete: true })).body).toMatchObject({
      setupComplete: true,
      dataSynced: true,
    })
    expect((await browser.get('/api/auth/current-user')).body).toMatchObject({ setupComplete: true })
  })

  it('forgets the import when it is reset, until the next one', async () => {
    expect((await save({ dataImported: false })).body).toMatchObject({
      dataImported: false,
      dataSynced: true,
    })
    // A client that finds the completed run sends this.
    expect(await save({ dataImported: true })).toMatchObject({ status: 200, body: { dataImported: false } })
    await change((tenant) =>
      addRun(tenant, {
        id: 'import_2',
        kind: 'import',
        status: 'completed',
        at: new Date('2026-05-09T00:00:00Z'),
      }),
    )
    expect((await browser.get('/api/setup/progress')).body).toMatchObject({ dataImported: true })
  })

  it('is no longer complete without a connection', async () => {
    expect((await browser.post('/api/stripe/disconnect')).status).toBe(200)
    expect((await browser.get('/api/setup/progress')).body).toMatchObject({
      setupComplete: false,
      stripeConnected: false,
      dataImported: false,
    })
  })
})

describe('automatic sync', () => {
  it('is on until it is switched off', async () => {
    expect((await browser.get('/api/setup/auto-sync')).body).toEqual({ autoSyncEnabled: true })
    expect((await browser.post('/api/setup/auto-sync', { enabled: false })).body).toMatchObject({
      autoSyncEnabled: false,
    })
    expect((await browser.get('/api/setup/auto-sync')).body).toEqual({ autoSyncEnabled: false })
  })
})

describe('runs', () => {
  it('are listed newest first, with pages', async () => {
    const { body } = await browser.get('/api/sync/history?limit=2')
    expect(body).toMatchObject({
      histories: [
        { id: 'import_2', type: 'import', status: 'completed' },
        { id: 'push_1', type: 'sync' },
      ],
      pagination: { total: 3, totalPages: 2 },
    })
  })

  it('are refused without a connection', async () => {
    const refused = await browser.post('/api/import/historical')
    expect([refused.status, refused.body]).toMatchObject([409, { error: { code: 'not_connected' } }])
  })

  it('are refused for a window that ends before it begins', async () => {
    const window = { startDate: '2026-05-02T00:00:00.000Z', endDate: '2026-05-01T00:00:00.000Z' }
    const refused = await browser.post('/api/import/start', window)
    const message = 'startDate: must not lie after endDate.'
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { code: 'invalid_request', message } },
    ])
  })

  it('that have ended cannot be cancelled, and unknown ones are not found', async () => {
    expect((await browser.post('/api/sync/cancel/push_1')).status).toBe(409)
    expect((await browser.post('/api/sync/cancel/push_9')).status).toBe(404)
    expect((await browser.get('/api/import/historical/push_9/progress')).status).toBe(404)
  })

  it('of the other kind are not passed off as an import', async () => {
    await change(async (tenant) => {
      await tenant.sql.deleteFrom('connections').execute()
      await addConnections(tenant)
      await addRun(tenant, { id: 'push_2', kind: 'push', status: 'in_progress' })
    })
    const refused = await browser.post('/api/import/historical')
    expect([refused.status, refused.body]).toMatchObject([409, { error: { code: 'conflict' } }])
    expect((await browser.get('/api/sync/status')).body).toMatchObject({
      runningSyncId: 'push_2',
      runningImportId: null,
    })
  })
})

describe('the connection status', () => {
  it('shows the beginning of the key and nothing more', async () => {
    expect((await browser.get('/api/connection-status')).body).toEqual({
      hubspot: {
        dbConnected: true,
        apiConnected: true,
        warning: null,
        portalId: '4711',
        portalDomain: null,
        earlierPortalId: null,
        maskedKey: null,
      },
      stripe: {
        dbConnected: true,
        apiConnected: true,
        accountId: 'acct_1',
        apiKeyFirstChars: 'sk_test_',
        warning: null,
        missingOptionalPermissions: [],
      },
      syncErrorCount: 0,
    })
  })
})
