import { afterAll, beforeAll, expect, it } from 'vitest'
import { getCurrentUser } from '#contract/account.ts'
import {
  getRecount,
  listRecountCustomers,
  listRecountMonths,
  listRecountRecords,
  listRecounts,
} from '#contract/recounts.ts'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { countByOlderRules, type Tampered } from '#test/recount/older-rules.ts'
import { startRecount } from '../../work/ledger/start-recount.ts'

let world: TestWorld
let owner: Person
let member: Person
let changed: Tampered
let path: string

const recount = async () => {
  await startRecount(world.deps, owner.organizationId)
  await world.drain()
}
const ask = async (url: string, as = owner) => {
  const answer = await as.fetch(url)
  return { status: answer.status, text: await answer.text() }
}
const json = async (url: string, as = owner) => JSON.parse((await ask(url, as)).text)
const announced = async (as: Person) =>
  getCurrentUser.response.parse(await json('/api/auth/current-user', as)).unreadRecount
const sql = (text: string, values: unknown[] = []) =>
  query(world.ownerUrl, text, [owner.organizationId, ...values])

beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(20) })
  owner = await world.person()
  await owner.connectHubspot()
  await owner.connectStripe()
  for (const start of ['/api/import/historical', '/api/sync/push-all']) {
    await owner.post(start)
    await world.drain()
  }
  member = await world.person()
  await sql('update member set role = $3, "organizationId" = $1 where "userId" = $2', [
    member.userId,
    'member',
  ])
  await member.post('/api/identity/organization/set-active', { organizationId: String(owner.organizationId) })
  changed = await countByOlderRules(world.ownerUrl, owner.organizationId)
  await sql(`update customers set name = '=cmd' where organization_id = $1 and id = $2`, [
    changed.customers[0],
  ])
  // HubSpot has the figures of the older rules.
  await owner.post('/api/sync/push-all')
  await world.drain()
  await recount()
  const { recounts } = listRecounts.response.parse(await json('/api/mrr/recounts'))
  path = `/api/mrr/recounts/${recounts[0]?.recountId}`
})
afterAll(() => world.close())

it('a report says why the ledger was counted anew and how much changed', async () => {
  const report = getRecount.response.parse(await json(path))
  expect(report).toMatchObject({
    ...{ fromRules: 0, toRules: ruleBookVersion, fromPolicy: 0, toPolicy: 0, customerCount: 3, readAt: null },
    currentMrr: expect.arrayContaining([expect.objectContaining({ currency: 'usd' })]),
  })
  expect(report.differences).toHaveLength(ruleBookVersion)
  const usd = report.currentMrr.find(({ currency }) => currency === 'usd')
  expect((usd?.after ?? 0) - (usd?.before ?? 0)).toBe(500)
  expect(await json('/api/sync/history')).toMatchObject({
    histories: expect.arrayContaining([expect.objectContaining({ type: 'recount', status: 'completed' })]),
  })
})

it('its lists name months, customers and records, page by page', async () => {
  const report = getRecount.response.parse(await json(path))
  const { months } = listRecountMonths.response.parse(await json(`${path}/months?limit=100`))
  expect(new Set(months.map(({ month }) => month)).size).toBe(report.monthCount)
  const { customers } = listRecountCustomers.response.parse(await json(`${path}/customers`))
  expect(customers.map(({ customerId }) => customerId).sort()).toEqual(changed.customers)
  expect(customers[0]).toMatchObject({ mrrBefore: expect.any(Number), eventCount: expect.any(Number) })
  expect((customers[0]?.mrrAfter ?? 0) - (customers[0]?.mrrBefore ?? 0)).toBe(500)
  const all = listRecountRecords.response.parse(await json(`${path}/records?limit=100`))
  expect(all.totalCount).toBe(report.recordCount)
  const paged = []
  for (let page = 1; page <= all.totalCount; page += 1)
    paged.push(
      ...listRecountRecords.response.parse(await json(`${path}/records?limit=1&page=${page}`)).records,
    )
  expect(paged).toEqual(all.records)
})

it('it says of each record what becomes of it in HubSpot, which the next sync does', async () => {
  const { records } = listRecountRecords.response.parse(await json(`${path}/records?limit=100`))
  const subscription = records.find(({ kind }) => kind === 'subscription')
  expect(subscription).toMatchObject({
    recordKey: changed.dearer,
    inHubspot: 'updated',
    changes: [{ field: 'mrr' }],
  })
  const by = (inHubspot: string) =>
    records.filter((one) => one.inHubspot === inHubspot).map((one) => one.recordKey)
  expect(by('removed')).toEqual(['evt_invented'])
  expect(by('created').length).toBeGreaterThan(0)
  expect(by('none')).toEqual([])
  const written = () =>
    sql(
      `select source_id as id, state, confirmed_at from crm_links where organization_id = $1 order by kind, source_id`,
    )
  const before = new Map((await written()).map((row) => [row['id'], JSON.stringify(row)]))
  await owner.post('/api/sync/push-all')
  await world.drain()
  const moved = (await written()).filter((row) => before.get(row['id']) !== JSON.stringify(row))
  expect(moved.map((row) => row['id'])).toEqual(
    expect.arrayContaining(records.map(({ recordKey }) => recordKey)),
  )
  expect(moved.find((row) => row['id'] === 'evt_invented')).toMatchObject({ state: 'removed' })
})

it('all of it comes as a file, without a cell that a spreadsheet would calculate', async () => {
  const { status, text } = await ask(`${path}/export`, member)
  expect(status).toBe(200)
  const [head, ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).replaceAll('","', ','))
  expect(head).toBe(
    'Concerning,Month,Customer ID,Customer,Record ID,Record,In HubSpot,Currency,Figure,Before,After',
  )
  const report = getRecount.response.parse(await json(path))
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word},`))
  expect(of('Customer')).toHaveLength(2 * report.customerCount)
  const { months } = listRecountMonths.response.parse(await json(`${path}/months?limit=100`))
  expect(of('Month')).toHaveLength(2 * months.length)
  expect(new Set([...of('Event'), ...of('Subscription')].map((line) => line.split(',')[4])).size).toBe(
    report.recordCount,
  )
  expect(text).toContain(`,"'=cmd",`)
  expect(text).not.toContain('"=cmd')
  const list = (await ask('/api/csv/recounts', member)).text.trimEnd().split('\r\n')
  expect(list[0]).toContain('"Report ID","Started (UTC)","Completed (UTC)"')
  expect(list.slice(1)).toEqual([expect.stringMatching(new RegExp(`^"${report.recountId}",`))])
})

it('owners and admins are told until one of them has read it, members are not', async () => {
  expect(await announced(owner)).toMatchObject({ customerCount: 3 })
  expect(await announced(member)).toBeNull()
  const refused = await member.fetch(`${path}/read`, { method: 'POST' })
  expect(refused.status).toBe(403)
  await owner.post(`${path}/read`)
  await owner.post(`${path}/read`)
  expect(await announced(owner)).toBeNull()
  expect(await json(path, member)).toMatchObject({ readBy: owner.email, readAt: expect.any(String) })
  const lines = await sql(
    `select actor_email from audit_log where organization_id = $1 and action = 'recount_read'`,
  )
  expect(lines).toEqual([{ actor_email: owner.email }])
})

it('where nothing changed there is a report, and nobody is told', async () => {
  await sql('update payment_mirrors set rule_book_version = 0 where organization_id = $1')
  await recount()
  const { recounts, totalCount } = listRecounts.response.parse(await json('/api/mrr/recounts'))
  expect([totalCount, recounts[0]]).toEqual([
    2,
    expect.objectContaining({ customerCount: 0, monthCount: 0, recordCount: 0, readAt: null }),
  ])
  expect(await announced(owner)).toBeNull()
})

it('a recount under way is no report yet, and cannot be cancelled', async () => {
  await sql('update payment_mirrors set rule_book_version = 0 where organization_id = $1')
  await startRecount(world.deps, owner.organizationId)
  const { histories } = await json('/api/sync/history')
  const cancelled = await owner.fetch(`/api/sync/cancel/${histories[0].id}`, { method: 'POST' })
  expect([cancelled.status, await cancelled.text()]).toEqual([
    409,
    expect.stringContaining('cannot be canceled'),
  ])
  const pushed = await owner.fetch('/api/sync/push-all', { method: 'POST' })
  expect([pushed.status, await pushed.text()]).toEqual([409, expect.stringContaining('recounted')])
  await world.drain()
})

it('nothing of it is shown to another organization', async () => {
  const stranger = await world.person()
  for (const part of ['', '/months', '/customers', '/records', '/export'])
    expect((await ask(`${path}${part}`, stranger)).status, part).toBe(404)
  expect((await stranger.fetch(`${path}/read`, { method: 'POST' })).status).toBe(404)
  expect(await json('/api/mrr/recounts', stranger)).toEqual({ recounts: [], totalCount: 0 })
})
