import { afterEach, expect, it } from 'vitest'
import { subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer } from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { RunLost } from '../../../store/runs/runs.ts'
import { connectPayments, verifyPayments } from '../connect-payments.ts'
import { disconnectPayments } from '../disconnect-payments.ts'

const otherKey = 'sk_test_of_this_world'
const world = smallWorld()
const refusal = { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****demo' }

let stage: ImportStage | undefined
async function staged(options: Parameters<typeof stageImport>[0]): Promise<ImportStage> {
  stage = await stageImport(options)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const forbidden = {
  type: 'invalid_request_error',
  message: 'The provided key does not have the required permissions for this endpoint.',
}

it.each([
  [401, refusal],
  [403, forbidden],
])('goes on with the new key where the old one is refused in the middle with %i', async (status, error) => {
  let [isArmed, isReplaced] = [false, false]
  const here = await staged({
    world,
    around: (fetch) => async (request) => {
      if (!isArmed || !request.url.includes('/v1/invoices?')) return fetch(request)
      if (!isReplaced) {
        isReplaced = true
        await connectPayments(here.deps, here.organizationId, otherKey)
      }
      return request.headers.get('authorization')?.endsWith(demoKey)
        ? Response.json({ error }, { status })
        : fetch(request)
    },
  })
  await connectPayments(here.deps, here.organizationId, demoKey)
  isArmed = true
  expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
  const [connection] = await query(here.db.ownerUrl, 'select warning, secret_version from connections')
  expect(connection).toEqual({ warning: null, secret_version: 2 })
})

/** An endpoint refuses the first key; before we handle that answer, `meanwhile` enters the other key. */
async function stagedReplacing(
  path: string,
  { status, error }: { status: number; error: object },
  meanwhile = (here: ImportStage): Promise<unknown> =>
    connectPayments(here.deps, here.organizationId, otherKey),
) {
  let isArmed = false
  const here = await staged({
    world,
    around: (fetch) => async (request) => {
      const isFirst = request.headers.get('authorization')?.endsWith(demoKey)
      if (!isArmed || !isFirst || !request.url.includes(path)) return fetch(request)
      isArmed = false
      await meanwhile(here)
      return Response.json({ error }, { status })
    },
  })
  await connectPayments(here.deps, here.organizationId, demoKey)
  isArmed = true
  return here
}

it('keeps what was told of the key before from one that was entered after a disconnect', async () => {
  const here = await stagedReplacing(
    '/v1/',
    { status: 401, error: refusal },
    async ({ deps, organizationId }) => {
      await disconnectPayments(deps, organizationId)
      const later = new Date(deps.now().getTime() + 1_000)
      await connectPayments({ ...deps, now: () => later }, organizationId, otherKey)
    },
  )
  expect(await verifyPayments(here.deps, here.organizationId)).toMatchObject({ connected: false })
  const [connection] = await query(here.db.ownerUrl, 'select warning, secret_version from connections')
  expect(connection).toEqual({ warning: null, secret_version: 1 })
})

it('keeps what was told of the key before from the warning of the new one', async () => {
  const here = await stagedReplacing('/v1/', { status: 401, error: refusal })
  expect(await verifyPayments(here.deps, here.organizationId)).toMatchObject({ connected: false })
  const [connection] = await query(here.db.ownerUrl, 'select warning, secret_version from connections')
  expect(connection).toEqual({ warning: null, secret_version: 2 })
})

it('does not take it for a lack of the new key that the key before may not read events', async () => {
  const here = await stagedReplacing('/v1/events', { status: 403, error: forbidden })
  expect(await here.work(await here.start())).toMatchObject({ status: 'completed' })
  const [connection] = await query<{ details: object; secret_version: number }>(
    here.db.ownerUrl,
    'select details, secret_version from connections',
  )
  expect(connection).toMatchObject({ details: { mayReadChanges: true }, secret_version: 2 })
})

const other: SimulatedWorld = {
  ...world,
  account: { ...world.account, id: 'acct_1Other', object: 'account' } as NonNullable<
    SimulatedWorld['account']
  >,
  customers: [customer('cus_other')],
  subscriptions: [subscription('sub_other', { customer: 'cus_other' })],
  invoices: [],
  invoice_payments: [],
  events: [],
}

/** While the import that `begin` starts is planning, a person enters the key of the other account. */
async function stagedPlanning(next: SimulatedWorld) {
  let isArmed = false
  const here = await staged({
    world,
    around: (fetch) => async (request) => {
      if (isArmed && request.url.includes('/v1/events')) {
        isArmed = false
        here.simulator.setWorld(next)
        await connectPayments(here.deps, here.organizationId, otherKey)
      }
      return fetch(request)
    },
  })
  const begin = async () => {
    const begun = await here.start()
    isArmed = true
    return here.work(begun)
  }
  return { here, begin }
}

it('stops an import that is being planned when another account is connected', async () => {
  const { here, begin } = await stagedPlanning(other)
  await connectPayments(here.deps, here.organizationId, demoKey)
  await expect(begin()).rejects.toThrow(RunLost)
  expect(await here.work(await here.start())).toMatchObject({ status: 'completed' })
  const mirrors = await query(here.db.ownerUrl, 'select account_id from payment_mirrors')
  expect(mirrors).toEqual([{ account_id: 'acct_1Other' }])
  expect(await query(here.db.ownerUrl, 'select id from subscriptions')).toEqual([{ id: 'sub_other' }])
})

it('stops an import of another account that is being planned when the account before is connected again', async () => {
  const { here, begin } = await stagedPlanning(world)
  await here.importAll()
  const before = await here.dump()
  await disconnectPayments(here.deps, here.organizationId)
  here.simulator.setWorld(other)
  await connectPayments(here.deps, here.organizationId, demoKey)
  await expect(begin()).rejects.toThrow(RunLost)
  expect(await here.dump()).toEqual(before)
  const mirrors = await query(here.db.ownerUrl, 'select account_id from payment_mirrors')
  expect(mirrors).toEqual([{ account_id: world.account?.['id'] }])
})

it('takes the warning back that the key is refused once an import has come to its end', async () => {
  const here = await staged({ world })
  await here.importAll()
  await query(here.db.ownerUrl, `update connections set warning = 'Stripe refuses this API key.'`)
  const at = new Date(world.as_of)
  expect(await here.work(await here.start({ mode: 'window', from: at, until: at }))).toMatchObject({
    status: 'completed',
  })
  expect(await query(here.db.ownerUrl, 'select warning from connections')).toEqual([{ warning: null }])
})
