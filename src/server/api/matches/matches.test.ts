import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listActivity } from '#contract/audit.ts'
import { openTestApp, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { addConnections, addCustomer, addMatch, addSubscription } from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'

let test: TestApp
let browser: TestBrowser & { organizationId: number }
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ann@yard.test', 'Yard')
  await inOrganization(test.deps.database, browser.organizationId, seed)
})
afterAll(() => test.close())

async function seed(tenant: Tenant): Promise<void> {
  await addConnections(tenant)
  for (const [number, cents] of [300, 700, 500].entries()) {
    const id = String(number + 1)
    await addCustomer(tenant, { id: `cus_${id}`, name: `Name ${id}`, email: `a@name-${id}.example` })
    await addSubscription(tenant, { id: `sub_${id}`, customer_id: `cus_${id}`, current_mrr_cents: cents })
    await addMatch(tenant, { customerId: `cus_${id}`, companyName: `Company ${id}`, state: 'pending' })
  }
  await addSubscription(tenant, {
    id: 'sub_eur',
    customer_id: 'cus_1',
    currency: 'eur',
    current_mrr_cents: 900,
  })
  await addSubscription(tenant, {
    id: 'sub_odd',
    customer_id: 'cus_1',
    current_mrr_cents: 0,
    unsupported_reason: 'Its price is unreadable',
  })
  await addCustomer(tenant, { id: 'cus_9', name: 'Linked', email: 'a@linked.example' })
  await addSubscription(tenant, { id: 'sub_9', customer_id: 'cus_9', current_mrr_cents: 1_500 })
  await addMatch(tenant, { customerId: 'cus_9', companyName: 'Linked Ltd', state: 'linked' })
  // A match of a HubSpot account that was connected before must not count.
  await tenant.sql
    .insertInto('matches')
    .values({
      organization_id: tenant.organizationId,
      customer_id: 'cus_1',
      portal_id: '4000',
      state: 'linked',
      company_record_id: '1',
      evidence: 'person',
    })
    .execute()
}

const idsOf = (body: object) =>
  (body as { matches: { customerId: string }[] }).matches.map(({ customerId }) => customerId)

describe('the review', () => {
  it('comes by MRR, a page at a time, with other currencies beside the dollars', async () => {
    const first = await browser.get('/api/matches?limit=2')
    expect([idsOf(first.body), first.body]).toMatchObject([['cus_2', 'cus_3'], { totalCount: 3 }])
    const second = await browser.get('/api/matches?limit=2&page=2')
    expect(second.body).toMatchObject({
      matches: [
        {
          customerId: 'cus_1',
          domain: 'name-1.example',
          currentMrr: 300,
          reportingCurrency: 'usd',
          otherCurrencies: [{ currency: 'eur', mrr: 900 }],
          uncountedSubscriptions: 1,
          state: 'pending',
          companyName: null,
        },
      ],
    })
  })

  it.each([
    ['search=name-3', ['cus_3']],
    ['search=100%25', []],
    ['state=linked', ['cus_9']],
    ['state=linked&search=ltd', ['cus_9']],
    ['state=ignored', []],
  ])('narrowed by %s shows %j', async (query, expected) => {
    expect(idsOf((await browser.get(`/api/matches?${query}`)).body)).toEqual(expected)
  })

  it.each(['state=lost', 'page=0', 'limit=101', 'sort=x'])('refuses %s', async (query) => {
    expect((await browser.get(`/api/matches?${query}`)).status).toBe(400)
  })

  it('says how much of the dollars is attached, and what is not part of that', async () => {
    expect((await browser.get('/api/matches/coverage')).body).toEqual({
      percent: 50,
      currentMrr: 3_000,
      attachedMrr: 1_500,
      reportingCurrency: 'usd',
      otherCurrencies: [{ currency: 'eur', mrr: 900, attachedMrr: 0 }],
      unsupportedSubscriptions: 1,
      pendingMatchCount: 3,
      wasMatchingRun: true,
    })
  })

  const newest = async () =>
    listActivity.response.parse((await browser.get('/api/audit/activity')).body).lines[0]

  it('keeps what a person decides, and shows it', async () => {
    const ignored = await browser.post('/api/matches/cus_3/ignore')
    expect(ignored.body).toMatchObject({ success: true, message: 'Ignored. Nothing changes in HubSpot.' })
    expect(idsOf((await browser.get('/api/matches?state=ignored')).body)).toEqual(['cus_3'])
    expect(await newest()).toMatchObject({ action: 'match_decided', subject: 'Name 3 ignored' })
    // The log has no names of its own, so that an erasure leaves none in it.
    await run(test.db.ownerUrl, "update customers set name = 'Erased' where id = 'cus_3'")
    expect(await newest()).toMatchObject({ subject: 'Erased ignored' })
    expect((await browser.post('/api/matches/cus_3/ignore')).status).toBe(409)
    expect((await browser.post('/api/matches/cus_3/restore')).status).toBe(200)
    const { body: again } = await browser.post('/api/matches/cus_3/ignore')
    const undone = await browser.post('/api/matches/decisions/undo', {
      decisionId: Object(again).decisionId,
    })
    expect(undone.status).toBe(200)
    expect(await newest()).toMatchObject({
      action: 'match_undone',
      description: 'Undid a decision about a match',
      subject: 'Erased',
    })
    await browser.post('/api/matches/cus_9/unlink')
    const { body } = await browser.get('/api/matches?search=cus_9')
    expect(body).toMatchObject({ matches: [{ evidence: 'unlinked', decidedBy: 'ann@yard.test' }] })
    expect((await browser.get('/api/matches/coverage')).body).toMatchObject({
      percent: 0,
      pendingMatchCount: 4,
    })
  })

  it('counts whom a rule for a domain would attach, with their records', async () => {
    const count = async (query: string) => (await browser.get(`/api/matches/domain?domain=${query}`)).body
    const none = { waitingCustomers: 0, waitingRecords: 0, attachedCustomers: 0 }
    expect(await count('name-1.example')).toEqual({ ...none, waitingCustomers: 1, waitingRecords: 3 })
    expect(await count('name-1.example&exceptCustomerId=cus_1')).toEqual(none)
    expect(await count('linked.example')).toEqual(none)
    expect((await browser.get('/api/matches/domain?domain=')).status).toBe(400)
  })

  it('keeps rules, lists them and forgets them', async () => {
    const never = { domain: 'Name-1.example', companyRecordId: null }
    expect((await browser.post('/api/matches/rules', never)).status).toBe(200)
    expect(await newest()).toMatchObject({
      description: 'Made a rule for a domain',
      // The domain may be a person's own, and the log is kept after an erasure.
      subject: 'never matched by it',
    })
    expect((await browser.get('/api/matches/rules')).body).toMatchObject({
      rules: [{ domain: 'name-1.example', kind: 'never', companyName: null }],
    })
    expect((await browser.post('/api/matches/rules/remove', { domain: 'name-1.example' })).status).toBe(200)
    expect(await newest()).toMatchObject({ description: 'Removed the rule of a domain' })
    expect((await browser.post('/api/matches/rules/remove', { domain: 'name-1.example' })).status).toBe(404)
  })

  it('does not reach another organization', async () => {
    const other = await test.signedIn('bob@other.test', 'Other')
    await inOrganization(test.deps.database, other.organizationId, addConnections)
    expect((await other.post('/api/matches/cus_2/ignore')).status).toBe(404)
    expect((await other.get('/api/matches')).body).toMatchObject({ totalCount: 0 })
  })
})
