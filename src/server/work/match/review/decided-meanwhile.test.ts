import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import {
  companiesToChoose,
  connected,
  customer,
  inHubspot,
  matchOf,
  push,
  recordIdOf,
  reviewerOf,
} from '#test/match/matches.ts'
import { type Bench, dumpCrm, saveLedger } from '#test/push/open-bench.ts'
import { createCompaniesFor } from './create-for-customers.ts'
import { isWaiting } from './decide-each.ts'
import { createCompanyFor, linkCustomer, unlinkCustomer } from './review-match.ts'
import { undoDecision } from './undo-decision.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

beforeEach(async () => {
  bench = await connected(db, { companies: companiesToChoose })
  await saveLedger(bench, [
    customer('a', 'kim@alpha.example'),
    customer('lone', 'kim@gmail.com'),
    customer('other', 'pat@gmail.com'),
  ])
  await bench.push()
})

const idOf = (name: string) => recordIdOf(bench, '0-2', 'name', name)
const by = () => reviewerOf(bench)
const link = (customerId: string, company: string, seen?: string) =>
  linkCustomer(bench.deps, bench.organizationId, customerId, {
    companyRecordId: idOf(company),
    remember: false,
    by: by(),
    seen,
  })

it('who decides about an attached customer is told that a colleague has moved it', async () => {
  const seen = `linked ${idOf('Alpha')}`
  await link('cus_a', 'Beta')
  const { deps, organizationId } = bench
  for (const decide of [
    () => link('cus_a', 'Gamma', seen),
    () => unlinkCustomer(deps, organizationId, 'cus_a', by(), seen),
    () => createCompanyFor(deps, organizationId, 'cus_a', 'Newly Made', by(), seen),
  ]) {
    await expect(decide()).rejects.toMatchObject({
      message: expect.stringMatching(/^Pat has attached this customer to Beta in the meantime\./),
    })
  }
  expect(await matchOf(bench, 'a')).toBe('linked person Beta')
  expect(dumpCrm(bench).company.filter((company) => company.includes('Newly Made'))).toEqual([])
  await unlinkCustomer(deps, organizationId, 'cus_a', by(), `linked ${idOf('Beta')}`)
  expect(await matchOf(bench, 'a')).toMatch(/^pending unlinked/)
})

it('a company that was created while a colleague decided is named, since it stays', async () => {
  const { crm } = bench.deps
  const createCompanies: typeof crm.createCompanies = async (access, drafts) => {
    const outcomes = await crm.createCompanies(access, drafts)
    await link('cus_lone', 'Beta')
    return outcomes
  }
  const wanted = ['lone', 'other'].map((id) => ({ customerId: `cus_${id}`, companyName: `Made for ${id}` }))
  const { outcomes } = await createCompaniesFor(
    { ...bench.deps, crm: { ...crm, createCompanies } },
    bench.organizationId,
    wanted,
    { by: by(), isOpen: isWaiting, isNameSearched: true },
  )
  expect(outcomes.map(({ isDone }) => isDone)).toEqual([false, true])
  expect(outcomes[0]?.message).toMatch(
    /^Pat has attached this customer to Beta .* Made for lone was created and stays in HubSpot; delete it/,
  )
})

it('an undo says where the company before is gone, and the customer waits until it is restored', async () => {
  await link('cus_a', 'Gamma')
  const unlinked = await unlinkCustomer(bench.deps, bench.organizationId, 'cus_a', by())
  const company = { type: '0-2', id: idOf('Gamma') }
  await inHubspot(bench, 'archive', company)
  bench.clock.now += 23 * 60 * 60_000
  await push(bench)
  const { message } = await undoDecision(bench.deps, bench.organizationId, unlinked.decisionId, 'member')
  expect(message).toMatch(/^Firm a waits for review, because its company is no longer in HubSpot\./)
  expect(await matchOf(bench, 'a')).toMatch(/^pending choice_gone/)
  await inHubspot(bench, 'restore', company)
  bench.clock.now += 24 * 60 * 60_000
  await push(bench)
  expect(await matchOf(bench, 'a')).toBe('linked person Gamma')
})

it('no decision and no undo promises a sync while Stripe is not connected or the custom objects are missing', async () => {
  const { deps, organizationId } = bench
  const { message: follows } = await link('cus_a', 'Gamma')
  expect(follows).toBe('Attached to Gamma. HubSpot follows with the next sync.')
  const change = (act: Parameters<typeof inOrganization>[2]) =>
    inOrganization(deps.database, organizationId, act)
  const objects = (state: string) =>
    change((tenant) => tenant.sql.updateTable('crm_objects').set({ state }).execute())
  await objects('failed')
  expect((await link('cus_a', 'Beta')).message).toBe(
    'Attached to Beta. HubSpot follows with the next sync, once the custom objects are there.',
  )
  await objects('ready')
  await link('cus_a', 'Gamma')
  await change((tenant) => tenant.sql.deleteFrom('connections').where('provider', '=', 'payments').execute())
  const { message, decisionId } = await unlinkCustomer(deps, organizationId, 'cus_a', by())
  const later = 'HubSpot follows with the next sync, once Stripe is connected.'
  expect(message).toBe(`Taken off the company. ${later}`)
  const undone = await undoDecision(deps, organizationId, decisionId, 'member')
  expect(undone.message).toBe(`Firm a is as before. ${later}`)
})
