import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arriveAtImport, ask, finishSetup, goOn, startImport, startPush } from './person.ts'
import { expectFiguresOf, expectPortalOf } from './truth.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

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

describe('a worker that is killed', () => {
  it('in the middle of the import and of the push changes nothing of the outcome', async () => {
    const { page } = await world.newPerson()
    await arriveAtImport(page)

    await startImport(page)
    await inTheMiddle(page)
    await world.product.killWorker()
    await world.product.startWorker()
    await page.getByText('Import Complete').first().waitFor({ timeout: 120_000 })
    await goOn(page)

    await startPush(page)
    await inTheMiddle(page)
    await world.product.killWorker()
    await world.product.startWorker()
    await page.getByText('Sync Complete').first().waitFor({ timeout: 150_000 })
    await goOn(page)
    await finishSetup(page)

    const account = world.account()
    await expectFiguresOf(account, page)
    await expectPortalOf(account, page, world.product.hubspotUrl ?? '')
    const { histories } = await ask<{ histories: { status: string; errorCount: number }[] }>(
      page,
      '/api/sync/history',
    )
    expect(histories.map(({ status, errorCount }) => [status, errorCount])).toEqual([
      ['completed', 0],
      ['completed', 0],
    ])
  })
})
