import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { connected, customer, matchesOf, push, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { dumpCrm, saveLedger } from '#test/push/open-bench.ts'
import { linkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** The batch reads of HubSpot that come before a company is made, and before a contact gets one. */
const reads = {
  companies: '/crm/objects/2026-09/0-2/batch/read',
  "contacts' companies": '/crm/associations/2026-09/0-1/0-2/batch/read',
}

/**
 * A customer whose company a person chose, one whose company we made by the domain, and one whose contact stands at a
 * company. HubSpot then fails at one kind of read: what is known must stand.
 */
it.each(Object.entries(reads))('%s that HubSpot cannot read stay whose they are', async (_, pathPrefix) => {
  const bench = await connected(db, {
    companies: [{ name: 'Chosen' }, { name: 'Employer' }],
    contacts: [{ email: 'lou@gmail.com' }],
  })
  const company = (name: string) => recordIdOf(bench, '0-2', 'name', name)
  await bench.ask('POST', '/crm/associations/2026-09/0-1/0-2/batch/associate/default', {
    inputs: [
      { from: { id: recordIdOf(bench, '0-1', 'email', 'lou@gmail.com') }, to: { id: company('Employer') } },
    ],
  })
  const known = [
    customer('chosen', 'kim@gmail.com'),
    customer('made', 'pat@made.example'),
    customer('employed', 'lou@gmail.com'),
  ]
  await saveLedger(bench, known)
  await push(bench)
  await linkCustomer(bench.deps, bench.organizationId, 'cus_chosen', {
    ...{ companyRecordId: company('Chosen'), remember: false, by: reviewerOf(bench) },
  })
  await push(bench)
  const before = await matchesOf(bench)

  await bench.control('/_faults', { kind: 'unread', match: { pathPrefix, times: null } })
  await saveLedger(bench, [customer('second', 'sam@made.example'), customer('new', 'kim@new.example')])
  await expect(push(bench)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(bench.simulator.requests.list(pathPrefix).at(-1)?.fault).toBe('unread')
  expect(await matchesOf(bench)).toMatchObject(before)

  bench.simulator.faults.clear()
  await push(bench)
  expect(await matchesOf(bench)).toEqual({
    ...before,
    second: expect.stringMatching(/^linked .* Firm made$/),
    new: expect.stringMatching(/^linked .* Firm new$/),
  })
  const companies = dumpCrm(bench).company.map((record) => JSON.parse(record).name)
  expect(companies.toSorted()).toEqual(['Chosen', 'Employer', 'Firm made', 'Firm new'])
})
