import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addSubscription } from '#test/store/seed.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { setReporting } from '../../store/reporting/reporting.ts'

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

const pick = ({ reportingCurrency, method, source }: Record<string, unknown>) => ({
  reportingCurrency,
  method,
  source,
})

describe('before anything is imported', () => {
  it('totals are in dollars, and there is nothing to choose', async () => {
    expect((await call('GET', '')).body).toEqual({
      ...{ reportingCurrency: 'usd', method: 'booked', source: 'ecb', hasSeveral: false },
      ...{ currencies: ['usd'], portal: null, rates: [], readAt: null, isConverting: false },
    })
  })

  it("the central bank's rates tell when they were read last", async () => {
    const readAt = '2026-05-20T15:20:00.000Z'
    await run(
      world.ownerUrl,
      `insert into rate_readings (source, tried_at, read_at) values ('ecb', '${readAt}', '${readAt}')`,
    )
    expect((await call('GET', '')).body).toMatchObject({ source: 'ecb', readAt })
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
      'PUT',
      '',
      { reportingCurrency: 'usd', method: 'booked', source: 'crm' },
      /HubSpot is not connected\. Connect it first/,
    ],
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

describe('with two currencies', () => {
  const kept = async () =>
    (
      await run(
        world.ownerUrl,
        `select reporting_currency as currency, rates_source as source from organization_settings
          where organization_id = $1`,
        [owner.organizationId],
      )
    )[0]
  const requested = async () =>
    (
      await run<{ requested: number; done: number }>(
        world.ownerUrl,
        'select requested, done from conversions',
      )
    )[0]

  beforeAll(async () => {
    await inOrganization(world.deps.database, owner.organizationId, async (tenant) => {
      await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
      await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 100_000 })
      await addSubscription(tenant, { id: 'sub_2', currency: 'eur', current_mrr_cents: 10_000 })
      await setReporting(tenant, { currency: 'usd' })
    })
  })

  it('a setting is saved together with the wish to convert, or not at all', async () => {
    await run(world.ownerUrl, 'alter table conversions add constraint never check (requested < 0)')
    const wanted = { reportingCurrency: 'eur', method: 'booked', source: 'ecb' }
    expect((await call('PUT', '', wanted)).status).toBe(500)
    expect(await kept()).toEqual({ currency: 'usd', source: 'ecb' })
    await run(world.ownerUrl, 'alter table conversions drop constraint never')
  })

  it('of two people who save at once, one is told that the other has saved', async () => {
    const seen = { reportingCurrency: 'usd', method: 'booked', source: 'ecb' }
    const answers = await Promise.all(
      ['csv', 'ecb'].map((source) => call('PUT', '', { ...seen, method: 'revalued', source, seen })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const told = answers.find(({ status }) => status === 409)
    expect(JSON.stringify(told?.body)).toMatch(/Somebody else has just changed this/)
    const saved = answers.find(({ status }) => status === 200)
    expect((await call('GET', '')).body).toMatchObject({
      method: 'revalued',
      source: saved?.body.source,
    })
    expect((await call('PUT', '', { ...seen, seen: saved?.body && pick(saved.body) })).status).toBe(200)
  })

  it('rates are kept up to a bound, so that no organization fills the disk or the memory of all', async () => {
    const upload = (lines: string[]) =>
      call('POST', '/rates', {
        source: 'csv',
        text: ['date,from,to,rate', ...lines].join('\n'),
        isLast: false,
      })
    const letter = (index: number) => String.fromCharCode(97 + (index % 26))
    const many = Array.from({ length: 401 }, (_, n) => `2026-02-01,q${letter(n / 26)}${letter(n)},usd,1`)
    const wide = await upload(many)
    expect([wide.status, JSON.stringify(wide.body)]).toEqual([400, expect.stringMatching(/more than 400/)])
    await run(
      world.ownerUrl,
      `insert into organization_rates (organization_id, source, day, base, revision, rates, recorded_at)
       select ${owner.organizationId}, 'csv', date '1950-01-01' + n, 'eur', 1, '{"usd": "1"}', now() from generate_series(1, 99999) n`,
    )
    expect((await upload(['2026-02-01,EUR,USD,1.1'])).status).toBe(200)
    const full = await upload(['2026-02-02,EUR,USD,1.1'])
    expect([full.status, JSON.stringify(full.body)]).toEqual([
      409,
      expect.stringMatching(/More than 100,000/),
    ])
    await run(world.ownerUrl, `delete from organization_rates`)
  })

  it('a file in parts is used with its last part, and no part waits for it to be converted', async () => {
    const part = (day: string, isLast: boolean) =>
      call('POST', '/rates', { source: 'csv', text: `date,from,to,rate\n${day},EUR,USD,1.1`, isLast })
    expect((await part('2026-01-02', false)).status).toBe(200)
    expect(await kept()).toEqual({ currency: 'usd', source: 'ecb' })
    const after = await requested()
    expect(after?.requested).toBeGreaterThan(Number(after?.done))
    expect((await part('2026-01-03', true)).status).toBe(200)
    expect(await kept()).toEqual({ currency: 'usd', source: 'csv' })
    expect((await requested())?.done).toBe((await requested())?.requested)
  })
})
