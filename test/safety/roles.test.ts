import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorBody } from '#contract/errors.ts'
import { run as query } from '../database.ts'
import { ask } from './ask.ts'
import { contractCalls, type ProbedCall } from './calls.ts'
import { fingerprintOf } from './rows.ts'
import { openStage, type SafetyStage } from './stage.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let stage: SafetyStage
let never: { customerId: string; domain: string }
beforeAll(async () => {
  stage = await openStage()
  never = await sayNever()
})
afterAll(() => stage.close())

/** Decides that a customer's domain is never matched, which puts the customer on hold. */
async function sayNever() {
  const { world, home } = stage
  const [row] = await query<{ id: string; domain: string }>(
    world.ownerUrl,
    `select id, domain from customers where organization_id = $1 and domain is not null order by id limit 1`,
    [home.owner.organizationId],
  )
  if (!row) throw new Error('no customer has a domain')
  await home.owner.post('/api/matches/rules', { domain: row.domain, companyRecordId: null })
  return { customerId: row.id, domain: row.domain }
}

/** The organization's data, and the mails sent. */
async function observe() {
  const { world, home } = stage
  const mail = await query(world.ownerUrl, 'select id from outbox')
  return { rows: await fingerprintOf(world.ownerUrl, home.owner.organizationId), mail }
}

async function askAsMember(call: Pick<ProbedCall, 'method'>, path: string, body: object = {}) {
  const { status, text } = await ask(stage.visitors.member, call, { path, query: {}, body })
  const refusal = status < 400 ? null : errorBody.parse(JSON.parse(text)).error
  return { status, code: refusal?.code ?? null, message: refusal?.message ?? text }
}

const post = { method: 'POST' }
const changes = contractCalls.filter(({ method }) => method !== 'GET')
const callNamed = (name: string) => {
  const call = contractCalls.find((known) => known.name === name)
  if (!call) throw new Error(`there is no call ${name}`)
  return call
}

/** Every change that a member may make, with a working request, in a possible order. */
const membersOwn: Record<string, () => object> = {
  startHistoricalImport: () => ({ restart: false }),
  startImport: () => ({ startDate: '2026-11-01T00:00:00Z', endDate: '2026-11-02T00:00:00Z' }),
  pushAll: () => ({}),
  retryFailed: () => ({}),
  syncSubscription: () => ({}),
  cancelRun: () => ({}),
  runMatching: () => ({}),
  decideMatches: () => ({ action: 'ignore', customers: [{ customerId: never.customerId }] }),
  undoMatchDecision: () => ({ decisionId: stage.home.ids.decision }),
  linkMatch: () => ({ companyRecordId: stage.home.ids.company, alwaysForDomain: false }),
  unlinkMatch: () => ({}),
  ignoreMatch: () => ({}),
  restoreMatch: () => ({}),
  createMatchCompany: () => ({ companyName: 'Made by a member' }),
  saveMatchRule: () => ({ domain: 'quay.example', companyRecordId: stage.home.ids.company }),
  removeMatchRule: () => ({ domain: 'quay.example' }),
  saveAlertChoice: () => ({ wantsAlerts: false }),
  saveView: () => ({ list: 'events', name: 'Mine', query: '' }),
  updateView: () => ({ list: 'events', name: 'Mine', query: '' }),
  renameView: () => ({ list: 'events', name: 'Mine', newName: 'Churn' }),
  deleteView: () => ({ list: 'events', name: 'Churn' }),
  leaveOrganization: () => ({}),
}

/** The parts of these calls that only owners and admins may use, although members may make the call. */
const forManagers: Record<string, () => [string, object]> = {
  'an import of everything anew': () => ['/api/import/historical', { restart: true }],
  'a rule that a domain is never matched': () => [
    '/api/matches/rules',
    { domain: 'elsewhere.example', companyRecordId: null },
  ],
  'another rule in its place': () => [
    '/api/matches/rules',
    { domain: never.domain, companyRecordId: stage.home.ids.company },
  ],
  'another rule in its place, by the way': () => [
    `/api/matches/${never.customerId}/link`,
    { companyRecordId: stage.home.ids.company, alwaysForDomain: true },
  ],
  'its removal': () => ['/api/matches/rules/remove', { domain: never.domain }],
}

describe('a member', () => {
  it.each(contractCalls.filter(({ access }) => access === 'admin'))(
    'is refused $name, and nothing is changed',
    async (call) => {
      const before = await observe()
      const answer = await ask(stage.visitors.member, call, call.inputOf(stage.home.ids))
      expect([answer.status, errorBody.parse(JSON.parse(answer.text)).error.code]).toEqual([403, 'forbidden'])
      expect(await observe()).toEqual(before)
    },
  )

  it.each(Object.entries(forManagers))('is refused %s, and nothing is changed', async (_, request) => {
    const before = await observe()
    const answer = await askAsMember(post, ...request())
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' })
    expect(answer.message).toMatch(/^Only owners and admins can [^.]+\. Ask one of them\.$/)
    expect(await observe()).toEqual(before)
  })

  it('may change what is written down here, and nothing else', () => {
    const open = changes.filter(({ access }) => access === 'member').map(({ name }) => name)
    expect(open.sort()).toEqual(Object.keys(membersOwn).sort())
  })

  it('changes nothing by reading', async () => {
    const before = await observe()
    const reads = contractCalls.filter(({ method, access }) => method === 'GET' && access === 'member')
    for (const call of reads) {
      const answer = await ask(stage.visitors.member, call, call.inputOf(stage.home.ids))
      expect([call.name, answer.status]).toEqual([call.name, 200])
    }
    expect(await observe()).toEqual(before)
  })

  it.each(Object.entries(membersOwn))('may do %s', async (name, body) => {
    const { world, home } = stage
    const call = callNamed(name)
    if (name === 'cancelRun') await home.owner.post('/api/sync/push-all')
    else await world.drain()
    const [running] = await query<{ id: string }>(
      world.ownerUrl,
      `select id from runs where organization_id = $1 order by created_at desc limit 1`,
      [home.owner.organizationId],
    )
    const ids = { ...home.ids, customer: never.customerId, run: running?.id ?? '' }
    const answer = await askAsMember(call, call.inputOf(ids).path, body())
    expect(answer).toMatchObject({ status: 200, code: null })
  })
})

describe('an owner and an admin', () => {
  it.each(['owner', 'admin'] as const)('do as %s what a member is refused', async (identity) => {
    await stage.world.drain()
    for (const request of Object.values(forManagers)) {
      const [path, body] = request()
      const answer = await ask(stage.visitors[identity], post, { path, query: {}, body })
      expect([path, answer.status]).toEqual([path, 200])
      await stage.world.drain()
      await sayNever()
    }
  })
})
