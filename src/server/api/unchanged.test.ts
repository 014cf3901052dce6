import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { auditActions } from '#domain/audit.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { demoKey } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { makeKeyIn } from '#test/push/service-keys.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({
    crm: {
      portals: [{ hubId: enterprise, name: 'Yard', domain: 'yard.example', tier: 'enterprise' }],
      seedFrom: { companies: [{ name: 'Harbour', domain: 'harbour.example' }], contacts: [] },
    },
  })
  person = await world.person()
})
afterAll(() => world.close())

type Name = keyof typeof api

/** Each of these does something, or is refused when there is nothing to do, so it always writes a line. */
const deeds: readonly Name[] = [
  ...(['createHubspotObjectsByKey', 'takeOverHubspotObjects', 'bindHubspotAmounts'] as const),
  ...(['createHubspotObjects', 'testAssociation', 'fixMissingAssociations', 'runMatching'] as const),
  ...(['createMatchCompany', 'unlinkMatch', 'ignoreMatch', 'restoreMatch', 'removeMatchRule'] as const),
  'undoMatchDecision',
  ...(['retryFailed', 'syncSubscription', 'cancelRun'] as const),
]

/** Calls that may request the current state, in an order in which each one changes something the first time. */
const wishes: readonly [Name, () => Promise<object> | object][] = [
  ['saveSyncSettings', () => ({ syncSettings: { autoCreateContacts: false } })],
  ['setAutoSync', () => ({ enabled: false })],
  ['saveReportingSettings', () => ({ reportingCurrency: 'usd', method: 'booked', source: 'csv' })],
  [
    'uploadRates',
    () => ({ source: 'csv', text: 'date,from,to,rate\n2026-01-02,EUR,USD,1.08', isLast: true }),
  ],
  ['saveErasureSettings', () => ({ erasesDeletedCustomers: true })],
  ['updateSetupProgress', () => ({ currentStep: 'stripe' })],
  ['connectStripe', () => ({ apiKey: demoKey })],
  ['saveStripeWebhook', () => ({ signingSecret: 'whsec_of_this_endpoint' })],
  ['startHistoricalImport', () => ({})],
  ['startImport', () => ({ startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-02T00:00:00Z' })],
  [
    'acceptHubspotPortal',
    async () => {
      await person.connectHubspot()
      await run(world.ownerUrl, `update connections set earlier_account_id = '1' where provider = 'crm'`)
      return { portalId: String(enterprise) }
    },
  ],
  ['pushAll', () => ({})],
  ['linkMatch', async () => ({ companyRecordId: await companyId() })],
  [
    'decideMatches',
    async () => {
      const customer = await customerId()
      await person.post(`/api/matches/${customer}/unlink`)
      return { action: 'ignore', customers: [{ customerId: customer }] }
    },
  ],
  ['saveMatchRule', async () => ({ domain: 'quay.example', companyRecordId: await companyId() })],
  ['connectHubspotByKey', async () => ({ serviceKey: await makeKeyIn(world.hubspot, enterprise) })],
  ['disconnectHubspot', () => ({})],
  ['disconnectStripe', () => ({})],
]

async function companyId(): Promise<string> {
  const answer = await (await person.fetch('/api/matches/companies?query=harbour')).json()
  return answer.companies[0].companyRecordId
}

async function customerId(): Promise<string> {
  const [row] = await run<{ id: string }>(world.ownerUrl, 'select min(customer_id) as id from matches')
  return row?.id ?? 'none'
}

async function countLines(): Promise<number> {
  const text = 'select count(*)::int as n from audit_log where organization_id = $1'
  return (await run<{ n: number }>(world.ownerUrl, text, [person.organizationId]))[0]?.n ?? 0
}

/** How many lines of the activity log a call wrote. */
async function linesOf(method: string, path: string, body: object): Promise<number> {
  const before = await countLines()
  const headers = { 'content-type': 'application/json' }
  const answer = await person.fetch(path, { method, headers, body: JSON.stringify(body) })
  expect([path, answer.status, answer.ok ? '' : await answer.text()]).toEqual([path, 200, ''])
  return (await countLines()) - before
}

it('every call with a line of its own is a deed, or tells what it changes', () => {
  const lined = Object.entries(api).filter(
    ([, { audit }]) => audit !== null && Object.hasOwn(auditActions, audit),
  )
  expect([...deeds, ...wishes.map(([name]) => name)].sort()).toEqual(lined.map(([name]) => name).sort())
})

it.each(wishes)('%s has a line once, however often it asks for what is so already', async (name, bodyOf) => {
  const body = await bodyOf()
  const { method = '', path = '' } = api[name] ?? {}
  const address = path.replace('{customerId}', await customerId())
  const lines = []
  for (let count = 0; count < 3; count += 1) lines.push(await linesOf(method, address, body))
  expect(lines).toEqual([1, 0, 0])
  const [open] = await run<{ n: number }>(
    world.ownerUrl,
    `select count(*)::int as n from audit_log where outcome = 'begun'`,
  )
  expect(open?.n).toBe(0)
  await world.drain()
})

it('a name, a role and an open organization that stay as they are have no line either', async () => {
  const path = '/api/identity/organization'
  const profile = await (await person.fetch(`${path}/profile`)).json()
  const renamed = { ...profile, name: 'Another name' }
  const save = (body: object) => linesOf('POST', `${path}/update`, body)
  expect([await save(profile), await save(renamed), await save(renamed)]).toEqual([0, 1, 0])
  const own = { organizationId: String(person.organizationId) }
  expect(await linesOf('POST', `${path}/set-active`, own)).toBe(0)
  const { members } = await (await person.fetch(`${path}/members`)).json()
  const role = { memberId: members[0].id, role: 'owner' }
  expect(await linesOf('POST', `${path}/update-member-role`, role)).toBe(0)
})
