import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments, verifyPayments } from './connect-payments.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await stageImport({ world: smallWorld() })
})
afterEach(() => stage.close())

const connections = () => query(stage.db.ownerUrl, 'select * from connections')

describe("an organization's key", () => {
  const key = 'sk_org_test_tributary_demo'
  const connectTo = (account?: string, apiKey = key, more: object = {}) =>
    connectPayments(stage.deps, stage.organizationId, apiKey, { account, ...more })

  it.each([
    ['without an account', key, undefined, /organization key.*Enter the id of the account.*acct_/],
    ['with an empty account', key, ' \n', /organization key.*Enter the id of the account.*acct_/],
    ['with something else', key, 'cus_1', /no account of Stripe.*acct_/],
    ['with a path to an account', key, 'acct_1Small/acct_2', /no account of Stripe/],
    ['of the other prefix', 'rk_org_abc', undefined, /organization key/],
    ['for live data', 'sk_org_live_abc', undefined, /organization key/],
  ])('is refused %s before anything is sent', async (_, apiKey, account, message) => {
    await expect(connectTo(account, apiKey)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    })
    expect(stage.simulator.requests.counters.total).toBe(0)
    expect(await connections()).toEqual([])
  })

  it('names the account in each request of a whole import', async () => {
    await connectTo(' acct_1Small\n')
    const expected = { account_id: 'acct_1Small', is_live: false, secret_hint: 'sk_org_test_••••demo' }
    expect(await connections()).toMatchObject([expected])
    expect(await verifyPayments(stage.deps, stage.organizationId)).toEqual({
      connected: true,
      hasApiKey: true,
      maskedApiKey: 'sk_org_test_••••demo',
      accountId: 'acct_1Small',
    })
    expect((await stage.work(await stage.start())).status).toBe('completed')
    const { subscriptions } = await stage.dump()
    expect(subscriptions?.length).toBeGreaterThan(0)
  })

  it.each([
    ['may read its account', 'sk_org_tributary_demo'],
    ['may not', 'sk_org_test_without_account'],
  ])('is of the named account where it %s, and of the mode of what it reads', async (_, apiKey) => {
    await connectTo('acct_1Small', apiKey)
    expect(await connections()).toMatchObject([{ account_id: 'acct_1Small', is_live: false }])
  })

  it('names the permission that it lacks', async () => {
    await expect(connectTo('acct_1Small', 'sk_org_test_without_invoices')).rejects.toThrow(
      /lacks read permission for: Invoices\./,
    )
  })

  it('is refused for an account that is none of its own, and nothing that was connected is lost', async () => {
    await connectTo('acct_1Small')
    const before = await connections()
    await expect(connectTo('acct_1Other')).rejects.toThrow(/may not read the account.*Check the id/)
    expect(await connections()).toEqual(before)
  })

  it('is told as a key that no longer works while the account is closed or has left, and works again after it', async () => {
    const here = smallWorld()
    await connectTo('acct_1Small')
    await stage.work(await stage.start())
    stage.simulator.setWorld({ ...here, account: { ...here.account, id: 'acct_1Left', object: 'account' } })
    const until = stage.deps.now()
    const changes = { mode: 'window', from: until, until } as const
    expect(await stage.work(await stage.start(changes))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/may not read the account/),
    })
    expect(await verifyPayments(stage.deps, stage.organizationId)).toMatchObject({ connected: false })
    expect(await connections()).toMatchObject([
      { warning: expect.stringMatching(/may not read the account/), details: { mayReadChanges: true } },
    ])
    stage.simulator.setWorld(here)
    expect(await stage.work(await stage.start(changes))).toMatchObject({ status: 'completed' })
    expect(await connections()).toMatchObject([{ warning: null }])
  })

  it('is another connection with another account, which needs a yes', async () => {
    await connectTo('acct_1Small')
    await stage.work(await stage.start())
    const account = { ...smallWorld().account, id: 'acct_1Other', object: 'account' }
    stage.simulator.setWorld({ ...smallWorld(), account })
    await expect(connectTo('acct_1Other')).rejects.toMatchObject({ code: 'other_account' })
    await connectTo('acct_1Other', key, { resetData: true })
    expect(await connections()).toMatchObject([{ account_id: 'acct_1Other' }])
  })

  it('is not needed by a key of one account, which refuses one', async () => {
    await expect(connectTo('acct_1Small', demoKey)).rejects.toThrow(/belongs to one account/)
  })
})
