import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Figures } from '#test/crm-figures.ts'
import { run as query } from '#test/database.ts'
import { type LiveAccount, openLiveAccount } from '#test/live-account.ts'

let account: LiveAccount
beforeEach(async () => {
  account = await openLiveAccount()
})
afterEach(() => account.close())

const within = { interval: 100 }
const hint = (kind: string) => expect.objectContaining({ kind, status: 'completed', isHint: true })

/** Until the ledger differs from what it was, and HubSpot shows the same. */
async function untilBothShow(before: Figures): Promise<void> {
  await expect
    .poll(async () => {
      const { ledger, crm } = await account.figures()
      return { isChanged: !isDeepStrictEqual(ledger, before), isPushed: isDeepStrictEqual(crm, ledger) }
    }, within)
    .toEqual({ isChanged: true, isPushed: true })
}

/** The account lives on until somebody subscribes. */
function liveOn() {
  for (let tries = 0; tries < 40; tries += 1) {
    const events = account.live(12)
    if (events.some(({ type }) => type === 'customer.subscription.created')) return events
  }
  throw new Error('nothing happens')
}

it('a change that a webhook tells of goes through import and push to HubSpot without any clock', async () => {
  const before = await account.figures()
  expect(before.crm).toEqual(before.ledger)
  await account.work()
  const events = liveOn()
  const startedAt = account.world.now().getTime()
  for (const event of events) expect(await account.deliver(event)).toBe(200)
  await untilBothShow(before.ledger)
  await expect
    .poll(async () => (await account.runs()).slice(0, 2), within)
    .toEqual([hint('import'), hint('push')])
  // Every wait of the product passes this clock: what is left is the gathering, not a minute or an hour.
  expect(account.world.now().getTime() - startedAt).toBeLessThan(60_000)
  const ticks = await query(account.world.ownerUrl, `select 1 from pgboss.job where name = 'schedule'`)
  expect(ticks).toEqual([])
})

it('changes that follow each other are gathered in few imports, and each reaches HubSpot', async () => {
  const { ledger } = await account.figures()
  await account.work()
  let events = 0
  for (let round = 0; round < 10; round += 1) {
    for (const event of liveOn()) {
      events += 1
      expect(await account.deliver(event)).toBe(200)
    }
  }
  await expect
    .poll(
      () => query(account.world.ownerUrl, 'select 1 from payment_changes where settled_at is null'),
      within,
    )
    .toEqual([])
  await untilBothShow(ledger)
  const imports = (await account.runs()).filter(({ kind }) => kind === 'import')
  expect(imports.length).toBeLessThan(events / 3)
})

it('without a webhook the look leads to the same push', async () => {
  const { ledger } = await account.figures()
  await account.work()
  liveOn()
  await account.tick('look')
  await untilBothShow(ledger)
  await expect
    .poll(async () => (await account.runs()).slice(0, 2), within)
    .toEqual([hint('import'), hint('push')])
})

it('where automatic sync is off, the ledger follows a webhook and HubSpot does not', async () => {
  const before = await account.figures()
  await query(account.world.ownerUrl, 'update organization_settings set auto_sync_enabled = false')
  await account.work()
  // What follows the first import has begun before the second ends.
  for (let imports = 1; imports <= 2; imports += 1) {
    const { ledger } = await account.figures()
    for (const event of liveOn()) await account.deliver(event)
    await expect
      .poll(async () => isDeepStrictEqual((await account.figures()).ledger, ledger), within)
      .toBe(false)
  }
  expect((await account.runs()).filter(({ kind }) => kind === 'push')).toEqual([])
  expect((await account.figures()).crm).toEqual(before.crm)
})
