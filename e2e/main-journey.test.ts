import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentMrr } from '#simulators/worlds/expected/truth.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { arriveAtImport, finishSetup, goOn, startImport, startPush } from './person.ts'
import { expectFiguresOf, expectPortalOf } from './truth.ts'
import { type BrowserWorld, openWorld } from './world.ts'

const folder = temporaryFolder('tributary-hosts-')
const noted = join(folder, 'connections')
const preload = join(import.meta.dirname, '../test/outgoing/note-connections.ts')
let world: BrowserWorld
beforeAll(async () => {
  const environment = { NODE_OPTIONS: `--import=${preload}`, NOTED_CONNECTIONS: noted }
  world = await openWorld({ simulatorArgs: ['--customers=60'], environment })
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the main job', () => {
  it('goes from signing up to records in HubSpot, with the figures of the account', async () => {
    const { page, context, errors } = await world.newPerson()
    const asked = new Set<string>()
    context.on('request', (request) => asked.add(new URL(request.url()).origin))
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
    const { address, databaseUrl, stripeUrl, hubspotUrl } = world.product
    const pages = [...asked].filter((origin) => origin.startsWith('http'))
    expect(pages.sort()).toEqual([address, hubspotUrl].sort())
    const ports = [databaseUrl, stripeUrl, hubspotUrl].map((url) => new URL(url ?? '').port)
    const called = new Set(readFileSync(noted, 'utf8').trim().split('\n'))
    expect(new Set([...called].map((line) => line.split(' ')[1]))).toEqual(new Set(ports))
    expect([...called].filter((line) => !/^(?:127\.0\.0\.1|::1) /.test(line))).toEqual([])
  })
})
