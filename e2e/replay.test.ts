import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayDocument } from '#cli/replay.ts'
import { readReplayDocument } from '#cli/replay-document.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'
import { demo, fillDemo } from '../tools/demo.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { ask, signIn } from './person.ts'
import { listAllTransactions } from './truth.ts'
import { type BrowserWorld, openWorld } from './world.ts'

const asOf = Math.floor(Date.now() / 1000)
const { world: account } = generateWorld({ seed: 11, customers: 120, months: 24, asOf })
const folder = temporaryFolder('tributary-world-')
const file = join(folder, 'world.json')

let world: BrowserWorld
beforeAll(async () => {
  writeFileSync(file, JSON.stringify(account))
  world = await openWorld({ simulatorArgs: [`--world=${file}`] })
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Replayed = { events: Record<string, unknown>[]; currentMrr: Record<string, number> }

describe('one file, replayed and imported', () => {
  it('gives the same events and the same current MRR', async () => {
    await fillDemo({ address: world.product.address, say: () => {} })
    const { page } = await world.newPerson()
    await signIn(page, demo)

    const replayed = replayDocument(readReplayDocument(JSON.stringify(account)), false) as Replayed
    const imported = await listAllTransactions(page)
    const shape = (event: Record<string, unknown>, subscription: string, at: string) =>
      [
        event[subscription],
        Date.parse(String(event[at])),
        event['invoiceId'],
        event['mrrStatus'],
        event['changeType'],
        event['previousMrr'],
        event['currentMrr'],
        event['mrrChange'],
        event['previousQuantity'],
        event['currentQuantity'],
        event['currency'],
      ].join(' ')
    expect(imported.map((event) => shape(event, 'relatedSubscriptionId', 'transactionDate')).sort()).toEqual(
      replayed.events.map((event) => shape(event, 'subscriptionId', 'occurredAt')).sort(),
    )
    const stats = await ask<{ currentMrr: number; otherCurrencies: { currency: string; mrr: number }[] }>(
      page,
      '/api/dashboard/stats',
    )
    const others = Object.fromEntries(stats.otherCurrencies.map(({ currency, mrr }) => [currency, mrr]))
    expect({ usd: stats.currentMrr, ...others }).toEqual(
      Object.fromEntries(Object.entries(replayed.currentMrr).filter(([, cents]) => cents !== 0)),
    )
  })
})
