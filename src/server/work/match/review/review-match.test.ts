import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { countPendingMatches } from '../../../store/matches/matches.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'
import { acceptCrmPortal } from '../../connections/connect-crm.ts'
import { matchCompanies } from '../match-companies.ts'
import { decideDomain, removeRule } from '../match-rules.ts'
import {
  createCompanyFor,
  ignoreCustomer,
  linkCustomer,
  restoreCustomer,
  unlinkCustomer,
} from './review-match.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed: CrmSeed = {
  companies: [
    { name: 'Alpha', domain: 'alpha.example' },
    { name: 'Twin One', domain: 'twin.example' },
    { name: 'Twin Two', domain: 'twin.example' },
  ],
  contacts: [],
}

beforeEach(async () => {
  bench = await openBench(db, { seed })
  await bench.connect()
  await inOrganization(bench.deps.database, bench.organizationId, async (tenant) => {
    await updateSettings(tenant, { autoCreateContacts: false, autoCreateCompanies: false })
  })
  await saveLedger(
    bench,
    [
      { id: 'alpha', email: 'kim@alpha.example' },
      { id: 'twin', email: 'kim@twin.example' },
      { id: 'twin2', email: 'pat@mail.twin.example' },
      { id: 'nobody', email: 'kim@nobody.example' },
    ].map((row) => ({ ...row, name: `Customer ${row.id}`, mrrCents: 100 })),
  )
  await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
    sql
      .updateTable('customers')
      .set((e) => ({ domain: e.fn<string>('split_part', ['email', e.val('@'), e.val(2)]) }))
      .execute(),
  )
  await bench.push()
})

const matches = () => matchesOf(bench)
const companyTies = () =>
  dumpCrm(bench).associations.filter((tie) => /^(event|subscription) .* -> company/.test(tie))
const link = (customerId: string, company: string, remember = false, seen?: string) =>
  linkCustomer(bench.deps, bench.organizationId, customerId, {
    companyRecordId: recordIdOf(bench, '0-2', 'name', company),
    remember,
    seen,
    by: reviewerOf(bench),
  })
const act = (action: typeof unlinkCustomer, customerId: string) =>
  action(bench.deps, bench.organizationId, customerId, reviewerOf(bench))

describe('a person', () => {
  it('attaches a customer, and the next push follows with every record', async () => {
    await link('cus_twin', 'Twin Two')
    expect(await matches()).toMatchObject({ twin: 'linked person Twin Two' })
    await bench.push()
    expect(companyTies()).toEqual([
      'event ev_alpha -> company alpha.example',
      'event ev_twin -> company twin.example',
      'subscription sub_alpha -> company alpha.example',
      'subscription sub_twin -> company twin.example',
    ])
  })

  it('takes a customer off, and no run puts it back', async () => {
    await act(unlinkCustomer, 'cus_alpha')
    await bench.push()
    await bench.push({ retriesFailed: true })
    expect(await matches()).toMatchObject({ alpha: 'pending unlinked Alpha' })
    expect(companyTies()).toEqual([])
  })

  it('moves a customer to another company with every association', async () => {
    await act(unlinkCustomer, 'cus_alpha')
    await link('cus_alpha', 'Twin One')
    await bench.push()
    expect(companyTies()).toEqual([
      'event ev_alpha -> company twin.example',
      'subscription sub_alpha -> company twin.example',
    ])
  })

  it('ignores a customer and takes that back', async () => {
    const pending = () => inOrganization(bench.deps.database, bench.organizationId, countPendingMatches)
    expect(await pending()).toBe(3)
    await act(ignoreCustomer, 'cus_twin')
    await bench.push()
    expect([await pending(), (await matches())['twin']]).toEqual([
      2,
      'ignored several_candidates Twin One,Twin Two',
    ])
    await act(restoreCustomer, 'cus_twin')
    expect([await pending(), (await matches())['twin']]).toEqual([
      3,
      'pending several_candidates Twin One,Twin Two',
    ])
  })

  it('creates a company, once however often it is asked for', async () => {
    const create = () =>
      createCompanyFor(bench.deps, bench.organizationId, 'cus_nobody', 'Nobody Ltd', reviewerOf(bench))
    const first = await create()
    expect(await create()).toMatchObject({ company: { recordId: first.company?.recordId } })
    expect(dumpCrm(bench).company.filter((row) => row.includes('Nobody Ltd'))).toHaveLength(1)
    await bench.push()
    expect(companyTies()).toContain('event ev_nobody -> company nobody.example')
  })

  it('is refused what does not fit the state, or is not there', async () => {
    await expect(act(unlinkCustomer, 'cus_twin')).rejects.toMatchObject({ code: 'conflict' })
    await expect(act(ignoreCustomer, 'cus_alpha')).rejects.toMatchObject({ code: 'conflict' })
    await expect(act(ignoreCustomer, 'cus_unknown')).rejects.toMatchObject({ code: 'not_found' })
    const choice = { companyRecordId: '999999', remember: false, by: reviewerOf(bench) } as const
    const unknown = linkCustomer(bench.deps, bench.organizationId, 'cus_twin', choice)
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  it('does not overrule somebody who decided about a waiting customer meanwhile', async () => {
    await link('cus_twin', 'Twin Two')
    for (const remember of [false, true]) {
      const late = link('cus_twin', 'Twin One', remember, 'pending')
      await expect(late).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^\S+ has attached this customer to Twin Two in the meantime\. Find/),
      })
    }
    expect(await matches()).toMatchObject({ twin: 'linked person Twin Two' })
    await link('cus_nobody', 'Twin One', false, 'pending')
    expect(await matches()).toMatchObject({ nobody: 'linked person Twin One' })
  })

  it('is not overruled by a run that had read the match before', async () => {
    const { crm } = bench.deps
    await saveLedger(bench, [{ id: 'new', name: 'New', email: 'kim@alpha.example', mrrCents: 1 }])
    await bench.push()
    await act(unlinkCustomer, 'cus_new')
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql
        .updateTable('matches')
        .set({ evidence: 'no_candidate' })
        .where('customer_id', '=', 'cus_new')
        .execute(),
    )
    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      updateSettings(tenant, { autoCreateContacts: true }),
    )
    // A person decides just before the run writes its result.
    const createContacts: typeof crm.createContacts = async (...given) => {
      await link('cus_new', 'Twin One')
      return crm.createContacts(...given)
    }
    await matchCompanies({ ...bench.deps, crm: { ...crm, createContacts } }, bench.organizationId)
    expect((await matches())['new']).toBe('linked person Twin One')
  })
})

describe('a rule', () => {
  it('attaches all waiting customers of its domain, and those to come', async () => {
    await link('cus_twin', 'Twin Two', true)
    expect(await matches()).toMatchObject({ twin: 'linked person Twin Two', twin2: 'linked rule Twin Two' })
    await saveLedger(bench, [{ id: 'later', name: 'Later', email: 'jo@twin.example', mrrCents: 1 }])
    await bench.push()
    expect(await matches()).toMatchObject({ later: 'linked rule Twin Two' })
  })

  it('settles a domain of many customers by one decision, for those that come later too', async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => String(n + 10))
    const comes = async (ids: string[]) => {
      await saveLedger(
        bench,
        ids.map((id) => ({ id, name: `Team ${id}`, email: `n${id}@alpha.example`, mrrCents: 1 })),
      )
      await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
        sql
          .updateTable('customers')
          .set({ domain: 'alpha.example' })
          .where('name', 'like', 'Team %')
          .execute(),
      )
      await bench.push()
    }
    await comes(numbers)
    expect((await matches())['21']).toBe('pending shared_domain Alpha')
    const reviewed = await link('cus_10', 'Alpha', true)
    expect(reviewed.message).toContain('11 more of its domain were attached.')
    await comes(['30'])
    const found = await matches()
    expect(new Set([...numbers.slice(1), '30'].map((id) => found[id]))).toEqual(
      new Set(['linked rule Alpha']),
    )
    expect(dumpCrm(bench).company).toHaveLength(seed.companies.length)
  })

  it('follows its company through a merge', async () => {
    await link('cus_twin', 'Twin Two', true)
    const [one, two] = ['Twin One', 'Twin Two'].map((name) => recordIdOf(bench, '0-2', 'name', name))
    await bench.control('/_control/merge', {
      hubId: enterprise,
      type: '0-2',
      primaryId: one,
      secondaryId: two,
    })
    await saveLedger(bench, [{ id: 'later', name: 'Later', email: 'jo@twin.example', mrrCents: 1 }])
    await bench.push()
    expect((await matches())['later']).toMatch(/^linked rule/)
  })

  it('can say that a domain tells nothing, which takes its customers off', async () => {
    const never = { domain: 'https://www.Alpha.example/', companyRecordId: null }
    const made = await decideDomain(bench.deps, bench.organizationId, never, reviewerOf(bench, 'admin'))
    expect(made).toMatchObject({ domain: 'alpha.example', moved: 1 })
    await bench.push()
    expect([(await matches())['alpha'], companyTies()]).toEqual(['pending never_rule Alpha', []])
    await removeRule(bench.deps, bench.organizationId, 'alpha.example', 'admin')
    await bench.push()
    expect((await matches())['alpha']).toBe('linked company_domain Alpha')
  })

  it('that a domain tells nothing is made, replaced and removed by owners and admins alone', async () => {
    const alone = {
      code: 'forbidden',
      message: expect.stringMatching(/^Only owners and admins can [^.]*\. Ask/),
    }
    const { deps, organizationId } = bench
    const never = { domain: 'twin.example', companyRecordId: null }
    await expect(
      decideDomain(deps, organizationId, never, reviewerOf(bench, 'member')),
    ).rejects.toMatchObject(alone)
    await decideDomain(deps, organizationId, never, reviewerOf(bench, 'owner'))
    const rules = () =>
      query(db.ownerUrl, `select domain, kind from match_rules where organization_id = ${organizationId}`)
    const always = { ...never, companyRecordId: recordIdOf(bench, '0-2', 'name', 'Twin Two') }
    for (const asMember of [
      () => decideDomain(deps, organizationId, always, reviewerOf(bench, 'member')),
      () => removeRule(deps, organizationId, never.domain, 'member'),
      () => link('cus_twin', 'Twin Two', true),
    ]) {
      await expect(asMember()).rejects.toMatchObject(alone)
      expect(await rules()).toEqual([{ domain: 'twin.example', kind: 'never' }])
    }
    expect((await matches())['twin']).not.toMatch(/^linked/)
    await link('cus_twin', 'Twin Two')
    await removeRule(deps, organizationId, never.domain, 'admin')
    await decideDomain(deps, organizationId, always, reviewerOf(bench, 'member'))
    await removeRule(deps, organizationId, never.domain, 'member')
    expect(await rules()).toEqual([])
  })

  it.each(['gmail.com', 'nonsense', 'co.uk'])('is refused for %s', async (domain) => {
    const made = decideDomain(
      bench.deps,
      bench.organizationId,
      { domain, companyRecordId: null },
      reviewerOf(bench, 'admin'),
    )
    await expect(made).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('another portal', () => {
  it('is matched anew, and the decisions wait in the first', async () => {
    await link('cus_twin', 'Twin Two')
    const change = async (hubId: number) => {
      await bench.connect({ hubId })
      await acceptCrmPortal(bench.deps, bench.organizationId, String(hubId))
    }
    await change(starter)
    expect(await inOrganization(bench.deps.database, bench.organizationId, countPendingMatches)).toBe(0)
    await matchCompanies(bench.deps, bench.organizationId)
    expect(await matchesOf(bench, starter)).toMatchObject({
      twin: 'pending several_candidates Twin One,Twin Two',
    })
    await change(enterprise)
    await bench.push()
    expect(await matches()).toMatchObject({ twin: 'linked person Twin Two' })
  })
})
