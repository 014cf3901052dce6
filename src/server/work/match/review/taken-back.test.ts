import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import {
  connected,
  contactTies,
  customer,
  inHubspot,
  matchesOf,
  matchOf,
  push,
  recordIdOf,
  reviewerOf,
} from '#test/match/matches.ts'
import { type Bench, saveLedger } from '#test/push/open-bench.ts'
import { matchCompanies } from '../match-companies.ts'
import { decideDomain, removeRule } from '../match-rules.ts'
import { acceptCompanies } from './decide-many.ts'
import { ignoreCustomer, linkCustomer, restoreCustomer } from './review-match.ts'
import { undoDecision } from './undo-decision.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const addresses = { a: 'kim@twin.example', b: 'pat@twin.example', c: 'jo@twin.example' }
const save = async (ids: readonly (keyof typeof addresses)[]) => {
  const rows = ids.map((id) => customer(id, addresses[id]))
  await saveLedger(bench, rows)
  await query(db.ownerUrl, `update customers set domain = split_part(email, '@', 2)`)
  await push(bench)
}

beforeEach(async () => {
  bench = await connected(db, {
    companies: [
      { name: 'Twin One', domain: 'twin.example' },
      { name: 'Twin Two', domain: 'twin.example' },
      { name: 'Third', domain: 'third.example' },
      { name: 'Fourth', domain: 'fourth.example' },
    ],
  })
  await save(['a', 'b'])
  expect(await matchesOf(bench)).toEqual({ a: several, b: several })
})

const several = 'pending several_candidates Twin One,Twin Two'
const undone = expect.stringMatching(/^pending choice_undone/)
const idOf = (name: string) => recordIdOf(bench, '0-2', 'name', name)
const by = () => reviewerOf(bench)
const link = (id: string, company: string, remember = false) =>
  linkCustomer(bench.deps, bench.organizationId, `cus_${id}`, {
    ...{ companyRecordId: idOf(company), remember, by: by() },
  })
const undo = ({ decisionId }: { decisionId: string | null }) =>
  undoDecision(bench.deps, bench.organizationId, decisionId ?? '', 'owner')
const match = () => matchCompanies(bench.deps, bench.organizationId)
const decide = (company: string | null) => {
  const rule = { domain: 'twin.example', companyRecordId: company === null ? null : idOf(company) }
  return decideDomain(bench.deps, bench.organizationId, rule, reviewerOf(bench, 'owner'))
}
/** Everything that could find a customer's company again, a day later too. */
const runAll = async () => {
  await match()
  await push(bench, { retriesFailed: true })
  bench.clock.now += 24 * 60 * 60_000
  await push(bench)
}

describe('a choice that is taken back after a sync made the contact', () => {
  it('is not made again by that contact, and its undo says what stays', async () => {
    const accepted = await link('a', 'Twin One')
    await push(bench)
    expect(contactTies(bench)).toEqual(['contact kim@twin.example -> company twin.example'])
    expect(await undo(accepted)).toEqual({
      message:
        'Firm a waits for review. HubSpot follows with the next sync. The contact stays with the company in HubSpot.',
      outcomes: [{ customerId: 'cus_a', isDone: true, message: 'Waits for review.', company: null }],
    })
    await runAll()
    expect(await matchesOf(bench)).toEqual({ a: undone, b: several })
    await link('a', 'Twin Two')
    await push(bench)
    expect(await matchOf(bench, 'a')).toBe('linked person Twin Two')
  })

  it('is not made again where matching outside a sync made it, nor by the contact of a choice in between', async () => {
    const first = await link('a', 'Twin One')
    const second = await link('a', 'Third')
    await match()
    expect((await undo(second)).message).toMatch(
      /^Firm a is as before\. HubSpot follows with the next sync\.$/,
    )
    expect((await undo(first)).message).toMatch(/^Firm a waits for review\./)
    await runAll()
    expect(await matchOf(bench, 'a')).toEqual(undone)
  })

  it('for a whole domain holds each of its customers, and another choice for the domain takes them along', async () => {
    const accepted = await link('a', 'Third', true)
    await push(bench)
    await save(['c'])
    expect(await matchesOf(bench)).toMatchObject({ b: 'linked rule Third', c: 'linked rule Third' })
    expect((await undo(accepted)).message).toBe(
      '2 customers wait for review. The rule for twin.example has ended. HubSpot follows with the next sync. Contacts stay with their companies in HubSpot.',
    )
    await runAll()
    expect(await matchesOf(bench)).toMatchObject({ a: undone, b: undone })
    await link('a', 'Twin Two', true)
    expect(await matchesOf(bench)).toMatchObject({ a: 'linked person Twin Two', b: 'linked rule Twin Two' })
  })

  it('for many says how many are as before and how many wait', async () => {
    await inHubspot(bench, 'create', { type: '0-1', properties: { email: addresses.b } })
    const companies = ['a', 'b'].map((id) => ({ customerId: `cus_${id}`, companyRecordId: idOf('Twin One') }))
    const accepted = await acceptCompanies(bench.deps, bench.organizationId, companies, by())
    await push(bench)
    expect((await undo(accepted)).message).toBe(
      '1 of 2 customers is as before. 1 waits for review. HubSpot follows with the next sync. The contact stays with the company in HubSpot.',
    )
    await runAll()
    expect(await matchesOf(bench)).toEqual({ a: undone, b: several })
  })

  it('while the sync makes the contact is not made again either', async () => {
    const accepted = await link('a', 'Twin One')
    const { crm } = bench.deps
    let told = ''
    const createContacts: typeof crm.createContacts = async (...given) => {
      const outcomes = await crm.createContacts(...given)
      told = (await undo(accepted)).message
      return outcomes
    }
    await push(bench, { crm: { ...crm, createContacts } })
    expect(told).toBe('Firm a is as before. HubSpot follows with the next sync.')
    expect(contactTies(bench)).toHaveLength(1)
    await runAll()
    expect(await matchesOf(bench)).toEqual({ a: undone, b: several })
  })

  it('of an ignored customer is not made again once it is restored', async () => {
    await ignoreCustomer(bench.deps, bench.organizationId, 'cus_a', by())
    const accepted = await link('a', 'Twin One')
    await push(bench)
    await undo(accepted)
    await restoreCustomer(bench.deps, bench.organizationId, 'cus_a', by())
    await runAll()
    expect(await matchOf(bench, 'a')).toEqual(undone)
  })

  it('from a company that is gone since is not made again', async () => {
    await decide('Third')
    const moved = await link('a', 'Twin Two')
    await push(bench)
    await inHubspot(bench, 'archive', { type: '0-2', id: idOf('Third') })
    bench.clock.now += 23 * 60 * 60_000
    await push(bench)
    await removeRule(bench.deps, bench.organizationId, 'twin.example', 'owner')
    expect((await undo(moved)).message).toMatch(/^Firm a waits for review, because its company is no longer/)
    await runAll()
    expect(await matchOf(bench, 'a')).toEqual(undone)
  })
})

describe('a rule that is taken back by Never match', () => {
  it('leaves no customer to the contact that it tied, also after that rule is gone', async () => {
    await decide('Third')
    await push(bench)
    expect(contactTies(bench)).toHaveLength(2)
    expect(await decide(null)).toMatchObject({ moved: 2 })
    await runAll()
    expect(await matchesOf(bench)).toEqual({ a: undone, b: undone })
    await removeRule(bench.deps, bench.organizationId, 'twin.example', 'owner')
    await runAll()
    expect(await matchesOf(bench)).toEqual({ a: undone, b: undone })
  })
})

describe('a choice that is taken back before anything was done in HubSpot', () => {
  it('leaves all as before, and the customer is attached once one company is left', async () => {
    const accepted = await link('a', 'Twin One', true)
    expect((await undo(accepted)).message).toBe(
      '2 customers are as before. The rule for twin.example has ended. HubSpot follows with the next sync.',
    )
    await match()
    expect(await matchesOf(bench)).toEqual({ a: several, b: several })
    await inHubspot(bench, 'archive', { type: '0-2', id: idOf('Twin Two') })
    bench.clock.now += 24 * 60 * 60_000
    await push(bench)
    expect(await matchOf(bench, 'a')).toBe('linked company_domain Twin One')
  })

  it('does so also where a contact was with several companies before', async () => {
    await inHubspot(bench, 'create', { type: '0-1', properties: { email: addresses.a } })
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 }]
    const from = { id: recordIdOf(bench, '0-1', 'email', addresses.a) }
    const inputs = ['Third', 'Fourth'].map((name) => ({ from, to: { id: idOf(name) }, types }))
    await bench.ask('POST', '/crm/associations/2026-09/0-1/0-2/batch/create', { inputs })
    await push(bench)
    const before = await matchOf(bench, 'a')
    expect(before).toMatch(/^pending several_candidates .*Third/)
    const accepted = await link('a', 'Third')
    await push(bench)
    expect((await undo(accepted)).message).toMatch(/^Firm a is as before\./)
    await match()
    expect(await matchOf(bench, 'a')).toBe(before)
  })
})
