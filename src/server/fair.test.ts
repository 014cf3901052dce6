import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, type TestApp, unlimited } from '#test/api/test-app.ts'
import { createApp } from './app.ts'
import { createTransactionTurns } from './http/turns.ts'
import { openProcess } from './process.ts'
import { type Database, inOrganization } from './store/postgres/database.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

describe('transactions of a server', () => {
  it('begin at once while another organization has six under way, and its seventh waits without a connection', async () => {
    const { deps, close } = await openProcess({
      name: 'test',
      environment: {
        DATABASE_URL: test.db.databaseUrl,
        SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
        STRIPE_API_URL: 'http://stripe.test',
        HUBSPOT_API_URL: 'http://hubspot.test',
        HUBSPOT_APP_URL: 'http://hubspot.test',
        LOG_LEVEL: 'silent',
      },
      inTurn: createTransactionTurns(),
    })
    const begun: number[] = []
    const ends: (() => void)[] = []
    const slow = (number: number) =>
      inOrganization(deps.database, 1, () => {
        begun.push(number)
        return new Promise<void>((done) => ends.push(done))
      })
    const works = [1, 2, 3, 4, 5, 6, 7, 8].map(slow)
    await expect.poll(() => begun).toHaveLength(6)
    expect(await inOrganization(deps.database, 2, async ({ organizationId }) => organizationId)).toBe(2)
    expect(begun.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    ends[0]?.()
    await expect.poll(() => begun.slice(6)).toEqual([7])
    ends[1]?.()
    await expect.poll(() => ends).toHaveLength(8)
    for (const end of ends) end()
    await Promise.all(works)
    await close()
  })
})

describe('a burst of calls from one browser', () => {
  it('is answered in turn with the calls of other browsers', async () => {
    const app = createApp(test.deps)
    const answered: string[] = []
    const ask = async (session: string, other: number) => {
      const cookie = `any=${other}; tributary.session_token=${session}`
      await app.fetch(new Request(`${origin}/api/nothing`, { headers: { cookie } }))
      answered.push(session)
    }
    const burst = Array.from({ length: 300 }, (_, other) => ask('greedy', other))
    await Promise.all([...burst, ask('calm', 0)])
    // First come, first served would answer it last.
    expect(answered.indexOf('calm')).toBeLessThan(100)
  })
})

describe('searches of one person', () => {
  it('go on one at a time, whatever the others of the organization do', async () => {
    const browser = await test.signedIn('ann@quay.test', 'Quay')
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const gate = { open: () => {} }
    const opened = new Promise<void>((open) => {
      gate.open = open
    })
    let begun = 0
    const database = new Proxy<Database>(test.deps.database, {
      get: (target, name) =>
        name === 'transaction'
          ? () => ({
              execute: async (work: never) => {
                begun += 1
                await opened
                return target.transaction().execute(work)
              },
            })
          : Reflect.get(target, name, target),
    })
    const app = createApp({ ...test.deps, database }, { limitCalls: unlimited })
    const ask = async (path: string) =>
      (await app.fetch(new Request(`${origin}${path}`, { headers: { cookie } }))).status
    const lists = ['/api/stripe/subscriptions', '/api/stripe/transactions', '/api/matches']
    const searches = [...lists, ...lists].map((path) => ask(`${path}?search=a`))
    await expect.poll(() => begun).toBe(1)
    const other = ask('/api/dashboard/stats')
    await expect.poll(() => begun).toBe(2)
    gate.open()
    expect(await Promise.all([...searches, other])).toEqual([200, 200, 200, 200, 200, 200, 200])
  })
})
