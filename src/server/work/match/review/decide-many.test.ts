import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CrmCompanyOutcome } from '#server/providers/crm.ts'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, openBench, saveLedger } from '#test/push/open-bench.ts'
import type { Deps } from '../../../deps.ts'
import { listRecentDecisions } from '../../../store/matches/recent-decisions.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'
import { decideDomain } from '../match-rules.ts'
import { createCompaniesFor } from './create-for-customers.ts'

import { isWaiting, type Reviewed } from './decide-each.ts'
import { acceptCompanies, ignoreCustomers } from './decide-many.ts'
import { linkCustomer, unlinkCustomer } from './review-match.ts'
import { undoDecision } from './undo-decision.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed: CrmSeed = {
  companies: [
    { name: 'Twin One', domain: 'twin.example' },
    { name: 'Twin Two', domain: 'twin.example' },
    { name: 'Acme cus_other B.V.', domain: 'acme.example' },
  ],
  contacts: [],
}
const dayMs = 24 * 60 * 60 * 1_000
const twins = ['cus_twin1', 'cus_twin2', 'cus_twin3']

beforeEach(async () => {
  bench = await openBench(db, { seed })
  await bench.connect()
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    updateSettings(tenant, { autoCreateContacts: false, autoCreateCompanies: false }),
  )
  const emails = {
    twin1: 'kim@twin.example',
    twin2: 'pat@twin.example',
    twin3: 'jo@twin.example',
    lone1: 'kim@lone.example',
    lone2: 'pat@lone.example',
    other: 'kim@other.example',
  }
  const rows = Object.entries(emails).map(([id, email]) => ({ id, email, name: `Name ${id}`, mrrCents: 100 }))
  await saveLedger(bench, rows)
  await query(db.ownerUrl, `update customers set domain = split_part(email, '@', 2)`)
  await bench.push()
})

const matches = () => matchesOf(bench)
const by = () => reviewerOf(bench)
const choices = (ids = twins, company = 'Twin One') => {
  const companyRecordId = recordIdOf(bench, '0-2', 'name', company)
  return ids.map((customerId) => ({ customerId, companyRecordId }))
}
const accept = (chosen = choices()) => acceptCompanies(bench.deps, bench.organizationId, chosen, by())
const ignore = (ids: string[]) => ignoreCustomers(bench.deps, bench.organizationId, ids, by())
const create = (ids: string[], deps: Deps = bench.deps, name = 'Made for', isNameSearched = false) => {
  const wanted = ids.map((customerId) => ({ customerId, companyName: `${name} ${customerId}` }))
  return createCompaniesFor(deps, bench.organizationId, wanted, {
    by: by(),
    isOpen: isWaiting,
    isNameSearched,
  })
}
const undo = ({ decisionId }: Pick<Reviewed, 'decisionId'>) =>
  undoDecision(bench.deps, bench.organizationId, decisionId ?? '', 'member')
const unlink = (customerId: string) => unlinkCustomer(bench.deps, bench.organizationId, customerId, by())
const doneIn = ({ outcomes }: Pick<Reviewed, 'outcomes'>) =>
  outcomes.filter(({ isDone }) => isDone).map(({ customerId }) => customerId)
const madeCompanies = () => dumpCrm(bench).company.filter((row) => row.includes('Made for'))

describe('a decision about many', () => {
  it('decides about each customer that waits, and says which ones it could not', async () => {
    await ignore(['cus_twin2'])
    const gone = { customerId: 'cus_unknown', companyRecordId: choices()[0]?.companyRecordId ?? '' }
    const lost = { customerId: 'cus_other', companyRecordId: '999999' }
    const reviewed = await accept([...choices(), gone, lost])
    expect(doneIn(reviewed)).toEqual(['cus_twin1', 'cus_twin3'])
    expect(reviewed.outcomes.filter(({ isDone }) => !isDone)).toMatchObject([
      {
        customerId: 'cus_twin2',
        message: expect.stringMatching(/^Pat has ignored this customer in the meantime\. Find/),
      },
      { customerId: 'cus_unknown', message: expect.stringMatching(/^There is no such customer/) },
      { customerId: 'cus_other', message: expect.stringMatching(/no longer in HubSpot/) },
    ])
    expect(await matches()).toMatchObject({
      twin1: 'linked person Twin One',
      twin2: expect.stringMatching(/^ignored/),
      other: expect.stringMatching(/^pending/),
    })
  })

  it('is made by one of two people who decide at the same time', async () => {
    const [first, second] = await Promise.all([
      accept(choices(twins, 'Twin One')),
      accept(choices([...twins].reverse(), 'Twin Two')),
    ])
    const done = [...doneIn(first), ...doneIn(second)]
    expect(done.sort()).toEqual(twins)
    const found = await matches()
    for (const id of doneIn(first)) expect(found[id.slice(4)]).toBe('linked person Twin One')
    for (const id of doneIn(second)) expect(found[id.slice(4)]).toBe('linked person Twin Two')
  })

  it('for a whole domain can be made by two people at the same time', async () => {
    const linkAll = (customerId: string, company: string) =>
      linkCustomer(bench.deps, bench.organizationId, customerId, {
        companyRecordId: choices([customerId], company)[0]?.companyRecordId ?? '',
        remember: true,
        by: by(),
      })
    await Promise.all([linkAll('cus_twin1', 'Twin One'), linkAll('cus_twin2', 'Twin Two')])
    const found = await matches()
    expect(['twin1', 'twin2', 'twin3'].map((id) => found[id])).toEqual([
      'linked person Twin One',
      'linked person Twin Two',
      expect.stringMatching(/^linked rule/),
    ])
  })

  it('creates one company for the customers of a domain, and attaches all', async () => {
    expect(doneIn(await create(['cus_lone1', 'cus_lone2', 'cus_other']))).toHaveLength(3)
    expect(madeCompanies()).toHaveLength(2)
    expect(await matches()).toMatchObject({
      lone1: 'linked person Made for cus_lone1',
      lone2: 'linked person Made for cus_lone1',
      other: 'linked person Made for cus_other',
    })
  })

  it('leaves a customer alone whose name a company has, whatever its legal form, unless a person saw that', async () => {
    const reviewed = await create(['cus_lone1', 'cus_other'], bench.deps, 'ACME')
    expect(doneIn(reviewed)).toEqual(['cus_lone1'])
    expect(reviewed.outcomes[1]?.message).toBe(
      'HubSpot has a company named "Acme cus_other B.V.". Open the customer to choose it, or to create another one.',
    )
    expect((await matches()).other).toMatch(/^pending/)
    expect(doneIn(await create(['cus_other'], bench.deps, 'ACME', true))).toEqual(['cus_other'])
  })

  it('says which companies HubSpot refused, and creates nothing twice when asked again', async () => {
    const { crm } = bench.deps
    const createCompanies: typeof crm.createCompanies = async (access, drafts) => {
      const outcomes = await crm.createCompanies(
        access,
        drafts.filter(({ key }) => key !== 'cus_other'),
      )
      const refused: CrmCompanyOutcome = { key: 'cus_other', state: 'refused', message: 'No room left.' }
      return [...outcomes, refused]
    }
    const half = await create(['cus_lone1', 'cus_other'], {
      ...bench.deps,
      crm: { ...crm, createCompanies },
    })
    expect(half.outcomes).toMatchObject([
      { customerId: 'cus_lone1', isDone: true },
      { customerId: 'cus_other', isDone: false, message: 'No room left.' },
    ])
    expect(await matches()).toMatchObject({ other: expect.stringMatching(/^pending/) })
    expect(doneIn(await create(['cus_lone1', 'cus_other']))).toEqual(['cus_other'])
    expect(madeCompanies()).toHaveLength(2)
  })
})

describe('an undo', () => {
  it('brings back what was so before, once, also after a push', async () => {
    const before = await matches()
    const accepted = await accept()
    const ignored = await ignore(['cus_lone1', 'cus_other'])
    await bench.push()
    expect(await matches()).not.toEqual(before)
    expect((await undo(accepted)).message).toMatch(/^3 customers are as before\. HubSpot follows/)
    expect((await undo(ignored)).message).toMatch(/^2 customers are as before\. Nothing changes in HubSpot\./)
    expect(await matches()).toEqual(before)
    await expect(undo(accepted)).rejects.toMatchObject({ code: 'not_found' })
    await bench.push()
    expect(await matches()).toEqual(before)
    expect(dumpCrm(bench).associations.filter((tie) => /-> company/.test(tie))).toEqual([])
  })

  it('after a later decision says whose it is and changes nothing', async () => {
    const accepted = await accept(choices(['cus_twin1']))
    await unlink('cus_twin1')
    await expect(undo(accepted)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Pat has decided about Name twin1 since. Nothing was undone. Look at it again.',
    })
    expect((await matches())['twin1']).toMatch(/^pending unlinked/)
  })

  it('of many leaves alone those that were changed since, and says which', async () => {
    const accepted = await accept()
    await unlink('cus_twin2')
    await query(
      db.ownerUrl,
      `update matches set company_record_id = '7' where customer_id = 'cus_twin3' and state = 'linked'`,
    )
    const undone = await undo(accepted)
    expect(doneIn(undone)).toEqual(['cus_twin1'])
    expect(undone.message).toMatch(/^1 of 3 customers is as before\./)
    expect(undone.outcomes.filter(({ isDone }) => !isDone).map(({ message }) => message)).toEqual([
      'Pat has decided about Name twin2 since.',
      'The match of Name twin3 has changed since.',
    ])
    expect(await matches()).toMatchObject({ twin1: expect.stringMatching(/^pending several_candidates/) })
  })

  it('of a created company lets the customer wait, and no run attaches it again', async () => {
    const created = await create(['cus_other'])
    expect(created.outcomes[0]?.message).toMatch(/^Created .* and attached the customer\./)
    expect((await undo(created)).message).toBe(
      'The company stays in HubSpot; delete it there if nobody needs it.',
    )
    await bench.push()
    expect((await matches())['other']).toMatch(/^pending creation_undone/)
    expect(madeCompanies()).toHaveLength(1)
  })

  it('of many created companies says that the customers wait, and that the companies stay', async () => {
    expect((await undo(await create(['cus_lone1', 'cus_other']))).message).toBe(
      '2 customers wait for review. Companies that were created stay in HubSpot; delete those there that nobody needs.',
    )
  })

  it('of a rule ends it and lets go of everybody whom it attached', async () => {
    const before = await matches()
    const [choice] = choices(['cus_twin1'])
    const rules = () =>
      query(db.ownerUrl, `select domain from match_rules where organization_id = ${bench.organizationId}`)
    const decided = await linkCustomer(bench.deps, bench.organizationId, 'cus_twin1', {
      companyRecordId: choice?.companyRecordId ?? '',
      remember: true,
      by: by(),
    })
    expect([await rules(), (await matches())['twin2']]).toEqual([
      [{ domain: 'twin.example' }],
      'linked rule Twin One',
    ])
    expect((await undo(decided)).message).toContain('The rule for twin.example has ended.')
    expect([await rules(), await matches()]).toEqual([[], before])
  })

  it('of a decision that replaced a rule is refused, and the rule stands', async () => {
    const never = { domain: 'twin.example', companyRecordId: null }
    await decideDomain(bench.deps, bench.organizationId, never, reviewerOf(bench, 'owner'))
    const [choice] = choices(['cus_twin1'])
    const replaced = await linkCustomer(bench.deps, bench.organizationId, 'cus_twin1', {
      companyRecordId: choice?.companyRecordId ?? '',
      remember: true,
      by: reviewerOf(bench, 'admin'),
    })
    const before = await matches()
    await expect(undo(replaced)).rejects.toMatchObject({
      code: 'conflict',
      message: 'This decision replaced a rule. Change it under Rules.',
    })
    expect(await matches()).toEqual(before)
    expect(
      await query(
        db.ownerUrl,
        `select kind from match_rules where organization_id = ${bench.organizationId}`,
      ),
    ).toEqual([{ kind: 'always' }])
  })

  it('is possible for a day, which the list of decisions shows', async () => {
    const recent = () =>
      inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
        listRecentDecisions(tenant, { since: new Date(bench.clock.now - dayMs), limit: 20 }),
      )
    const accepted = await accept()
    await ignore(['cus_other'])
    expect(await recent()).toMatchObject([
      { action: 'ignored', by: 'Pat', customerCount: 1, customerNames: ['Name other'], companyName: null },
      { action: 'attached', by: 'Pat', customerCount: 3, companyName: 'Twin One' },
    ])
    bench.clock.now += dayMs
    expect(await recent()).toEqual([])
    await expect(undo(accepted)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('reaches no other organization', async () => {
    const accepted = await accept()
    const other = await openBench(db, { beside: bench })
    await other.connect()
    await expect(
      undoDecision(other.deps, other.organizationId, accepted.decisionId ?? '', 'member'),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect((await matches())['twin1']).toBe('linked person Twin One')
  })
})
