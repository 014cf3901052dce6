import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'

let world: TestWorld
let owner: Person
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person()
})
afterAll(() => world.close())

const call = async (method: string, path: string, body?: object) => {
  const answer = await owner.fetch(`/api/settings/reporting${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

describe('before anything is imported', () => {
  it('totals are in dollars, and there is nothing to choose', async () => {
    expect((await call('GET', '')).body).toEqual({
      ...{ reportingCurrency: 'usd', method: 'booked', source: 'ecb', hasSeveral: false },
      ...{ currencies: ['usd'], rates: [], isConverting: false },
    })
  })

  it.each([
    [
      'PUT',
      '',
      { reportingCurrency: 'gbp', method: 'booked', source: 'ecb' },
      /No subscription is in GBP\. Choose one/,
    ],
    [
      'PUT',
      '',
      { reportingCurrency: 'Dollar', method: 'booked', source: 'ecb' },
      /must be a currency such as eur/,
    ],
    ['PUT', '', { reportingCurrency: 'usd', method: 'guess', source: 'ecb' }, /method/],
    [
      'POST',
      '/rates',
      { source: 'ecb', text: 'Date,USD\n2026-01-02,1.1', isLast: true },
      /Import from Stripe first/,
    ],
    ['POST', '/rates', { source: 'ecb', text: 'x'.repeat(90_000), isLast: true }, /text/],
    [
      'POST',
      '/rates',
      { source: 'csv', text: 'a,b', isLast: true },
      /correct this one: The first line has to be date,from,to,rate/,
    ],
  ])('%s %s %j is refused', async (method, path, body, why) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).toMatch(why)
    expect(await run(world.ownerUrl, 'select from organization_rates')).toEqual([])
  })
})
