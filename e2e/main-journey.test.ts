import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentMrr } from '#simulators/worlds/expected/truth.ts'
import { arriveAtImport, finishSetup, goOn, startImport, startPush } from './person.ts'
import { expectFiguresOf, expectPortalOf } from './truth.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=60'] })
})
afterAll(() => world?.close())

describe('the main job', () => {
  it('goes from signing up to records in HubSpot, with the figures of the account', async () => {
    const { page, errors } = await world.newPerson()
    await arriveAtImport(page)
    await startImport(page)
    await page.getByText('Import Complete').first().waitFor({ timeout: 120_000 })
    await goOn(page)
    await startPush(page)
    await page.getByText('Sync Complete').first().waitFor({ timeout: 150_000 })
    await goOn(page)
    await finishSetup(page)

    const account = world.account()
    const cents = currentMrr(account.truth).get('usd') ?? 0
    const shown = (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    await page.getByText(shown, { exact: true }).first().waitFor()
    await expectFiguresOf(account, page)
    await expectPortalOf(account, page, world.product.hubspotUrl ?? '')

    const { histories } = (await (await page.request.get('/api/sync/history')).json()) as {
      histories: { type: string; status: string; errorCount: number }[]
    }
    expect(histories.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'sync completed',
      'import completed',
    ])
    expect(errors).toEqual([])
    const writes = (await (await fetch(`${world.product.stripeUrl}/_requests`)).json()) as { writes: number }
    expect(writes.writes).toBe(0)
  })
})
