import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { connected, customer, matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, saveLedger } from '#test/push/open-bench.ts'
import { decideDomain, removeRule } from '../match-rules.ts'
import { linkCustomer } from './review-match.ts'
import { undoDecision } from './undo-decision.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
  bench = await connected(db, {
    companies: [
      { name: 'Alpha', domain: 'alpha.example' },
      { name: 'Twin One', domain: 'twin.example' },
      { name: 'Twin Two', domain: 'twin.example' },
    ],
  })
  await saveLedger(bench, [customer('one', 'kim@twin.example'), customer('two', 'pat@twin.example')])
  await query(db.ownerUrl, `update customers set domain = split_part(email, '@', 2)`)
  await bench.push()
})
afterAll(() => db.close())

const idOf = (name: string) => recordIdOf(bench, '0-2', 'name', name)
const change = (company: string, movesAttached: boolean) => {
  const rule = { domain: 'twin.example', companyRecordId: idOf(company), movesAttached }
  return decideDomain(bench.deps, bench.organizationId, rule, reviewerOf(bench))
}
const matches = () => matchesOf(bench)

it('a changed rule leaves its customers with the company before and counts them, or moves them', async () => {
  const choice = { companyRecordId: idOf('Twin Two'), remember: true, by: reviewerOf(bench) }
  await linkCustomer(bench.deps, bench.organizationId, 'cus_one', choice)
  const attached = { one: 'linked person Twin Two', two: 'linked rule Twin Two' }
  expect(await matches()).toMatchObject(attached)
  expect(await change('Alpha', false)).toMatchObject({
    moved: 0,
    company: { name: 'Alpha' },
    stayed: { count: 2, companyName: 'Twin Two' },
  })
  expect(await matches()).toMatchObject(attached)
  expect(await change('Twin Two', false)).toMatchObject({ moved: 0, stayed: { count: 0 } })
  expect(await change('Alpha', true)).toMatchObject({ moved: 2, stayed: { count: 0 } })
  expect(await matches()).toMatchObject({ one: 'linked rule Alpha', two: 'linked rule Alpha' })
})

it('that a domain tells nothing is undone by owners and admins, whether it took customers off or not', async () => {
  const { deps, organizationId } = bench
  const decide = (domain: string) =>
    decideDomain(deps, organizationId, { domain, companyRecordId: null }, reviewerOf(bench, 'admin'))
  await change('Alpha', true)
  await removeRule(deps, organizationId, 'twin.example', 'admin')
  const before = await matches()
  for (const [domain, moved] of [
    ['twin.example', 2],
    ['alpha.example', 0],
  ] as const) {
    const made = await decide(domain)
    expect(made.moved).toBe(moved)
    const undo = (role: 'member' | 'admin') => undoDecision(deps, organizationId, made.decisionId ?? '', role)
    await expect(undo('member')).rejects.toMatchObject({ code: 'forbidden' })
    expect((await undo('admin')).message).toContain(`The rule for ${domain} has ended.`)
    expect(await matches()).toEqual(before)
    await expect(undo('admin')).rejects.toMatchObject({ code: 'not_found' })
  }
  // The same rule made again still belongs to the first decision.
  const first = await decide('twin.example')
  expect((await decide('twin.example')).decisionId).toBeNull()
  const undoFirst = (role: 'member' | 'admin') =>
    undoDecision(deps, organizationId, first.decisionId ?? '', role)
  await expect(undoFirst('member')).rejects.toMatchObject({ code: 'forbidden' })
  expect((await undoFirst('admin')).message).toContain('The rule for twin.example has ended.')
  expect(await matches()).toEqual(before)
  const { decisionId } = await decide('alpha.example')
  bench.clock.now += 25 * 60 * 60_000
  await expect(undoDecision(deps, organizationId, decisionId ?? '', 'owner')).rejects.toMatchObject({
    code: 'not_found',
  })
  // No undo brings back the rule that stands since.
  expect((await decide('alpha.example')).decisionId).toBeNull()
  await removeRule(deps, organizationId, 'alpha.example', 'admin')
  await change('Alpha', true)
})

it('rules have an end, since the page lists them all, and the rule of a domain can be changed there too', async () => {
  await query(
    db.ownerUrl,
    `insert into match_rules (organization_id, portal_id, domain, kind, created_at)
     select organization_id, portal_id, 'd' || n || '.example', 'never', now()
       from match_rules, generate_series(1, 9999) n where domain = 'twin.example'`,
  )
  expect(await change('Twin One', false)).toMatchObject({ company: { name: 'Twin One' } })
  for (const companyRecordId of [null, idOf('Alpha')]) {
    const another = { domain: 'another.example', companyRecordId }
    await expect(
      decideDomain(bench.deps, bench.organizationId, another, reviewerOf(bench, 'owner')),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^There are 10,000 rules/) })
  }
})
