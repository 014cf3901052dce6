import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments, verifyPayments } from './connect-payments.ts'
import { disconnectPayments } from './disconnect-payments.ts'
import { setWebhookSecret } from './payment-webhook.ts'
import { isOther } from './payments-connection.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await stageImport({ world: smallWorld() })
})
afterEach(() => stage.close())

const connect = (key: string) => connectPayments(stage.deps, stage.organizationId, key)
const connections = () => query(stage.db.ownerUrl, 'select * from connections')

describe('connecting Stripe', () => {
  it('keeps the key sealed and shows its last four characters', async () => {
    expect(await connect(`  ${demoKey}\n`)).toEqual({ message: 'Connected to Stripe' })
    const [row] = await connections()
    expect(row).toMatchObject({ account_id: 'acct_1Small', is_live: false, secret_hint: 'sk_test_••••demo' })
    expect(JSON.stringify(row)).not.toContain(demoKey)
    expect(await verifyPayments(stage.deps, stage.organizationId)).toEqual({
      connected: true,
      hasApiKey: true,
      maskedApiKey: 'sk_test_••••demo',
      accountId: 'acct_1Small',
    })
  })

  it('asks with a key that takes the place of another on the budget of the account from the first request on', async () => {
    await connect(demoKey)
    const { payments } = stage.deps
    const open = vi.spyOn(payments, 'open')
    await connect(demoKey)
    expect(open).toHaveBeenCalledWith(demoKey, expect.objectContaining({ accountId: 'acct_1Small' }))
  })

  const notWhole = expect.stringMatching(
    /^This is not a complete key of Stripe: .* Copy it from Stripe again\.$/,
  )
  it.each([
    ['', 'Please enter your Stripe secret API key.'],
    [' \n\u200b', 'Please enter your Stripe secret API key.'],
    [
      'pk_test_abc',
      'This is a publishable key, which may not read data. Enter the secret key: API key must start with sk_.',
    ],
    [
      'whsec_abc',
      'This is the signing secret of a webhook. Enter the secret key: API key must start with sk_.',
    ],
    ['abc', 'API key must start with sk_.'],
    ['"sk_test_abc"', 'API key must start with sk_.'],
    [`sk_test_${'a'.repeat(1_000)}`, notWhole],
    ['sk_test_ä', notWhole],
    ['rk_live_1"', notWhole],
  ])('refuses %j before it is sent anywhere', async (key, message) => {
    await expect(connect(key)).rejects.toMatchObject({ code: 'invalid_request', message })
    expect(stage.simulator.requests.counters.total).toBe(0)
    expect(await connections()).toEqual([])
  })

  it.each([
    ['customers', 'Customers'],
    ['subscriptions', 'Subscriptions'],
    ['invoices', 'Invoices'],
    ['products', 'Products'],
    ['prices', 'Prices'],
    ['payment_methods', 'Payment Methods'],
    ['coupons', 'Coupons'],
  ])('asks for the permission to read %s by its name in the dashboard', async (without, name) => {
    await expect(connect(`rk_test_without_${without}`)).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining(`lacks read permission for: ${name}.`),
    })
    expect(await connections()).toEqual([])
  })

  it.each([
    ['events', 'Events', false],
    ['payment_intents', 'Payment Intents', true],
  ])('does without %s and says what that means', async (without, name, mayReadChanges) => {
    const { message } = await connect(`rk_test_without_${without}`)
    expect(message).toContain(`lacks read permission for: ${name}.`)
    expect(message.includes('reads everything again')).toBe(!mayReadChanges)
    expect(await connections()).toMatchObject([
      { details: { missingOptionalPermissions: [name], mayReadChanges } },
    ])
  })

  it('learns the account from the refusal where the key may not read it', async () => {
    await connect('rk_test_without_account')
    expect(await connections()).toMatchObject([{ account_id: 'acct_1Small' }])
  })

  it('takes restricted keys, and names the permission that one lacks', async () => {
    await connect('rk_test_tributary_demo')
    await expect(connect('rk_test_without_invoices_and_coupons')).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('lacks read permission for: Invoices, Coupons.'),
    })
    expect(await connections()).toMatchObject([{ secret_hint: 'rk_test_••••demo', secret_version: 1 }])
  })

  it('leaves everything as it was when the new key is wrong', async () => {
    await connect(demoKey)
    const before = await connections()
    await expect(connect('sk_test_revoked')).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(await connections()).toEqual(before)
  })

  it('replaces the key of the same account', async () => {
    await stage.importAll()
    expect(await connect('sk_test_of_this_world')).toEqual({ message: 'Stripe API key updated' })
    expect(await connections()).toMatchObject([{ secret_version: 2, secret_hint: 'sk_test_••••orld' }])
  })

  it('refuses the key of another account', async () => {
    await stage.importAll()
    const account = { ...smallWorld().account, id: 'acct_1Other', object: 'account' }
    stage.simulator.setWorld({ ...smallWorld(), account })
    const before = await stage.dump()
    await expect(connect(demoKey)).rejects.toMatchObject({
      code: 'other_account',
      message: expect.stringContaining('acct_1Other, test mode'),
    })
    expect(await connections()).toMatchObject([{ account_id: 'acct_1Small' }])
    expect(await stage.dump()).toEqual(before)
  })

  it('takes the key of another account once the data may go, and starts over with it', async () => {
    await stage.importAll()
    await setWebhookSecret(stage.deps, stage.organizationId, 'whsec_of_the_first')
    const { run } = await stage.start()
    const world = smallWorld()
    stage.simulator.setWorld({
      ...world,
      account: { ...world.account, id: 'acct_1Other', object: 'account' },
      customers: world.customers.slice(0, 1),
      subscriptions: [],
      invoices: [],
      invoice_payments: [],
    })
    const { deps, organizationId } = stage
    await connectPayments(deps, organizationId, demoKey, { resetData: true })
    const owner = stage.db.ownerUrl
    expect(Object.values(await stage.dump()).flat()).toEqual([])
    expect(await query(owner, 'select * from payment_webhooks')).toEqual([])
    expect(await query(owner, 'select status from runs where id = $1', [run.id])).toEqual([
      { status: 'cancelled' },
    ])
    const [settings] = await query(
      owner,
      'select current_step, setup_complete, reporting_currency, is_reporting_decided from organization_settings',
    )
    expect(settings).toEqual({
      ...{ current_step: 'import', setup_complete: false },
      ...{ reporting_currency: null, is_reporting_decided: false },
    })
    expect((await stage.work(await stage.start())).status).toBe('completed')
    const { customers, subscriptions } = await stage.dump()
    expect([customers?.length, subscriptions?.length]).toEqual([1, 0])
  })

  it('deletes nothing when the key is of the same account, whatever was allowed', async () => {
    await stage.importAll()
    const before = await stage.dump()
    await connectPayments(stage.deps, stage.organizationId, demoKey, { resetData: true })
    expect(await stage.dump()).toEqual(before)
  })

  it.each([
    ['the same', { accountId: 'acct_1', isLive: false }, true, false],
    ['another account', { accountId: 'acct_2', isLive: false }, true, true],
    ['the other mode', { accountId: 'acct_1', isLive: true }, true, true],
    ['one that hides its id and knows our customers', { accountId: null, isLive: false }, true, false],
    ['one that hides its id and knows none of them', { accountId: null, isLive: false }, false, true],
    ['one that hides its id where we have none', { accountId: null, isLive: false }, null, false],
  ])('tells %s', (_, account, isKnownHere, expected) => {
    expect(isOther({ account_id: 'acct_1', is_live: false }, account, isKnownHere)).toBe(expected)
  })

  it('starts over with another account after a disconnect, without mixing the two', async () => {
    await stage.importAll()
    await disconnectPayments(stage.deps, stage.organizationId)
    const world = smallWorld()
    stage.simulator.setWorld({
      ...world,
      account: { ...world.account, id: 'acct_1Other', object: 'account' },
      subscriptions: world.subscriptions.slice(0, 1),
      invoices: [],
    })
    await stage.importAll()
    const { subscriptions, invoices } = await stage.dump()
    expect(subscriptions).toHaveLength(1)
    expect(invoices).toEqual([])
  })

  it('keeps what the provider says of a key that stopped working', async () => {
    await connect(demoKey)
    await query(stage.db.ownerUrl, `update connections set sealed_secret = $1`, [
      stage.deps.seal.seal(
        { organizationId: stage.organizationId, provider: 'payments', field: 'apiKey' },
        'sk_test_revoked',
      ),
    ])
    expect(await verifyPayments(stage.deps, stage.organizationId)).toMatchObject({
      connected: false,
      hasApiKey: true,
    })
    expect(await connections()).toMatchObject([{ warning: expect.stringMatching(/refuses this API key/) }])
  })
})

describe('a key that cannot be opened any more', () => {
  it('is told of, and fails an import with what to do', async () => {
    await connect(demoKey)
    await query(stage.db.ownerUrl, `update connections set sealed_secret = 's1.9.AAAA.AAAA'`)
    const message = 'The stored Stripe API key can no longer be read. Enter it again.'
    expect(await verifyPayments(stage.deps, stage.organizationId)).toMatchObject({ connected: false })
    expect(await connections()).toMatchObject([{ warning: message }])
    await query(stage.db.ownerUrl, 'update connections set warning = null')
    expect(await stage.work(await stage.start())).toMatchObject({ status: 'failed', error: message })
    expect(await connections()).toMatchObject([{ warning: message }])
    await connect(demoKey)
    expect(await connections()).toMatchObject([{ warning: null }])
  })
})

describe('disconnecting Stripe', () => {
  it('forgets the key, stops the run and resets the setup', async () => {
    await connect(demoKey)
    const { run } = await stage.start()
    await disconnectPayments(stage.deps, stage.organizationId)
    expect(await connections()).toEqual([])
    expect(await query(stage.db.ownerUrl, 'select id, status from runs')).toEqual([
      { id: run.id, status: 'cancelled' },
    ])
    const [settings] = await query(stage.db.ownerUrl, 'select * from organization_settings')
    expect(settings).toMatchObject({ current_step: 'hubspot', setup_complete: false })
    await expect(stage.start()).rejects.toMatchObject({ code: 'not_connected' })
    expect(await verifyPayments(stage.deps, stage.organizationId)).toEqual({
      connected: false,
      hasApiKey: false,
      maskedApiKey: null,
      accountId: null,
    })
  })
})
