import { afterAll, beforeAll, expect, it } from 'vitest'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(4) })
})
afterAll(() => world.close())

async function importAll(person: Person): Promise<void> {
  await person.post('/api/import/historical')
  await world.drain()
}

it.each(['stripe', 'hubspot'])(
  'the setup starts again after %s is disconnected, whatever stands in the database and in HubSpot',
  async (provider) => {
    const person = await world.person()
    const ask = async (path: string) => (await person.fetch(path)).json()
    const save = async (body: object) => {
      const answer = await person.fetch('/api/setup/progress', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json() }
    }
    await person.connectStripe()
    await person.connectHubspot()
    await importAll(person)
    await person.post('/api/sync/push-all')
    await world.drain()
    const complete = await save({ currentStep: 'finish', setupComplete: true })
    expect(complete.body).toMatchObject({ setupComplete: true, dataImported: true, dataSynced: true })
    const { syncedSubscriptions, syncedTransactions } = complete.body
    expect(Math.min(syncedSubscriptions, syncedTransactions)).toBeGreaterThan(0)

    await person.post(`/api/${provider}/disconnect`)
    const reset = {
      currentStep: 'hubspot',
      setupComplete: false,
      stripeConnected: provider !== 'stripe',
      hubspotConnected: provider !== 'hubspot',
      dataImported: false,
      dataSynced: false,
      syncedSubscriptions: 0,
      syncedTransactions: 0,
    }
    expect(await ask('/api/setup/progress')).toMatchObject(reset)
    // The imported data and its run are kept, and a client that finds the run claims it again.
    expect((await ask('/api/stripe/subscriptions')).totalCount).toBeGreaterThan(0)
    expect(await ask('/api/import/status')).toMatchObject({ status: 'completed' })
    for (const claim of [
      { dataImported: true },
      { dataSynced: true, syncedSubscriptions, syncedTransactions },
    ])
      expect(await save(claim)).toMatchObject({ status: 200, body: reset })
    expect((await save({ setupComplete: true })).status).toBe(409)

    if (provider === 'stripe') await person.connectStripe()
    else await person.connectHubspot()
    expect(await ask('/api/setup/progress')).toMatchObject({ dataSynced: false, syncedSubscriptions: 0 })
    await importAll(person)
    // HubSpot still has all records.
    expect(await ask('/api/setup/progress')).toMatchObject({
      dataImported: true,
      dataSynced: true,
      syncedSubscriptions,
      syncedTransactions,
    })
  },
)
