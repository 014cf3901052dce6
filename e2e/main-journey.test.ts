import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentMrr } from '#simulators/worlds/expected/truth.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { arriveAtImport, ask, finishSetup, goOn, startImport, startPush } from './person.ts'
import { expectFiguresOf, expectPortalOf } from './truth.ts'
import { type BrowserWorld, openWorld } from './world.ts'

const folder = temporaryFolder('tributary-hosts-')
const noted = join(folder, 'connections')
const preload = join(import.meta.dirname, '../test/outgoing/note-connections.ts')
let world: BrowserWorld
beforeAll(async () => {
  const environment = { NODE_OPTIONS: `--import=${preload}`, NOTED_CONNECTIONS: noted }
  world = await openWorld({ simulatorArgs: ['--customers=120'], environment })
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Job = { status: string; processedRecords: number; totalRecords: number }

/** Waits until the newest run shows progress and is not complete; returns its progress. */
async function inTheMiddle(page: Page): Promise<Job> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const { histories } = await ask<{ histories: { id: string }[] }>(page, '/api/sync/history')
    const job = histories[0] && (await ask<Job>(page, `/api/sync/import-status/${histories[0].id}`))
    if (job?.status === 'in_progress' && job.processedRecords > 0) return job
    if (job && job.status !== 'in_progress' && tries > 50)
      throw new Error('the run was over before it could be killed')
    await new Promise((next) => setTimeout(next, 20))
  }
  throw new Error('the run never began')
}

/** Kills the worker in the middle of the newest run, and starts another. */
async function replaceWorker(page: Page): Promise<void> {
  await inTheMiddle(page)
  await world.product.killWorker()
  await world.product.startWorker()
}

describe('the main job', () => {
  it('goes from signing up to records in HubSpot, with the figures of the account, though workers are killed', async () => {
    const { page, context, errors } = await world.newPerson()
    const asked = new Set<string>()
    context.on('request', (request) => asked.add(new URL(request.url()).origin))
    await arriveAtImport(page)
    await startImport(page)
    await replaceWorker(page)
    await page.getByText('Import Complete').first().waitFor({ timeout: 120_000 })
    await goOn(page)
    await startPush(page)
    await replaceWorker(page)
    await page.getByText('Sync Complete').first().waitFor({ timeout: 150_000 })
    await goOn(page)
    await finishSetup(page)

    const account = world.account()
    const cents = currentMrr(account.truth).get('usd') ?? 0
    const shown = (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    await page.getByText(shown, { exact: true }).first().waitFor()
    await expectFiguresOf(account, page)
    await expectPortalOf(account, page, world.product.hubspotUrl ?? '')

    type History = { type: string; status: string; errorCount: number; startedBy: { kind: string } | null }
    const { histories } = await ask<{ histories: History[] }>(page, '/api/sync/history')
    // The hour of the schedule may strike once the setup is complete, and a sync follows its import.
    const byPerson = histories.filter(({ startedBy }) => startedBy?.kind === 'person')
    expect(byPerson.map(({ type, status, errorCount }) => [type, status, errorCount])).toEqual([
      ['sync', 'completed', 0],
      ['import', 'completed', 0],
    ])
    expect(errors).toEqual([])
    const writes = (await (await fetch(`${world.product.stripeUrl}/_requests`)).json()) as { writes: number }
    expect(writes.writes).toBe(0)
    const { address, databaseUrl, stripeUrl, hubspotUrl } = world.product
    const pages = [...asked].filter((origin) => origin.startsWith('http'))
    expect(pages.sort()).toEqual([address, hubspotUrl].sort())
    const [database, ...ports] = [databaseUrl, stripeUrl, hubspotUrl].map((url) => new URL(url ?? '').port)
    const called = new Set(readFileSync(noted, 'utf8').trim().split('\n'))
    const others = [...called].map((line) => line.split(' ')[1]).filter((port) => port !== database)
    expect(new Set(others)).toEqual(new Set(ports))
    expect([...called].filter((line) => !/^(?:127\.0\.0\.1|::1) /.test(line))).toEqual([])
  })
})
