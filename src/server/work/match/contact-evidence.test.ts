import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { inOrganization } from '../../store/database.ts'
import { updateSettings } from '../../store/settings.ts'
import { decideDomain } from '../match-rules.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '../push/test-support.ts'
import { createCompanyFor, linkCustomer } from '../review-match.ts'
import { matchesOf, recordIdOf } from './test-support.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const minuteMs = 60_000
const customer = (id: string, email: string | null) => ({ id, name: `Firm ${id}`, email, mrrCents: 100 })
const inHubspot = (bench: Bench, what: string, body: object) =>
  bench.control(`/_control/${what}`, { hubId: enterprise, ...body })
const contactTies = (bench: Bench) =>
  dumpCrm(bench).associations.filter((tie) => /^contact .* -> company/.test(tie))
const tiesOf = (bench: Bench, key: string, target: string) =>
  dumpCrm(bench)
    .associations.filter((tie) => tie.startsWith(`${key} -> ${target}`))
    .map((tie) => tie.split(' ').at(-1))
const lastMatch = async (bench: Bench, id: string) => (await matchesOf(bench))[id]

async function connected(seed: Partial<CrmSeed> = {}): Promise<Bench> {
  const bench = await openBench(db, { seed: { companies: [], contacts: [], ...seed } })
  await bench.connect()
  return bench
}

async function push(bench: Bench, options: Parameters<Bench['push']>[0] = {}) {
  bench.clock.now += 10 * minuteMs
  return bench.push(options)
}

/** As the import does: the domain of the address stands beside it. */
async function saveWithDomains(bench: Bench, rows: Parameters<typeof saveLedger>[1]): Promise<void> {
  await saveLedger(bench, rows)
  await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
    sql
      .updateTable('customers')
      .set((e) => ({ domain: e.fn<string>('split_part', ['email', e.val('@'), e.val(2)]) }))
      .execute(),
  )
}

describe('the primary company of a contact', () => {
  it.each(['the list', 'a search'])(
    'is attached where none of its companies has the domain, read by %s',
    async (by) => {
      const many = Array.from({ length: by === 'a search' ? 400 : 0 }, (_, n) => ({ name: `Other ${n}` }))
      const bench = await connected({
        companies: [
          { name: 'First', domain: 'first.example' },
          { name: 'Second', domain: 'second.example' },
          ...many,
        ],
      })
      await push(bench)
      await inHubspot(bench, 'create', { type: '0-1', properties: { email: 'pat@private.example' } })
      const contact = recordIdOf(bench, '0-1', 'email', 'pat@private.example')
      const tie = (name: string, associationTypeId: number) =>
        bench.ask('POST', '/crm/associations/2026-09/0-1/0-2/batch/create', {
          inputs: [
            {
              from: { id: contact },
              to: { id: recordIdOf(bench, '0-2', 'name', name) },
              types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
            },
          ],
        })
      await tie('First', 279)
      await tie('Second', 1)
      await saveLedger(bench, [customer('a', 'pat@private.example')])
      await push(bench)
      expect(await lastMatch(bench, 'a')).toBe('linked contact_email Second')
    },
  )
})

describe('a contact that stands without a company', () => {
  it('is tied to the one that is made for its domain, by a run or by a person; one that has a company is not', async () => {
    const bench = await connected({
      companies: [
        { name: 'Alpha', domain: 'alpha.example' },
        { name: 'Beta', domain: 'beta.example' },
      ],
      contacts: [{ email: 'pat@new.example' }, { email: 'pat@asked.example' }, { email: 'two@new.example' }],
    })
    for (const name of ['Alpha', 'Beta'])
      await bench.ask('POST', '/crm/associations/2026-09/0-1/0-2/batch/associate/default', {
        inputs: [
          {
            from: { id: recordIdOf(bench, '0-1', 'email', 'two@new.example') },
            to: { id: recordIdOf(bench, '0-2', 'name', name) },
          },
        ],
      })
    await saveLedger(bench, [customer('a', 'pat@new.example'), customer('t', 'two@new.example')])
    await push(bench)
    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      updateSettings(tenant, { autoCreateCompanies: false }),
    )
    await saveLedger(bench, [customer('b', 'pat@asked.example')])
    await push(bench)
    await createCompanyFor(bench.deps, bench.organizationId, 'cus_b', 'Asked')
    expect(contactTies(bench)).toEqual([
      'contact pat@asked.example -> company asked.example',
      'contact pat@new.example -> company new.example',
      'contact two@new.example -> company alpha.example',
      'contact two@new.example -> company beta.example',
    ])
  })

  it('is tied as well after a death between the two', async () => {
    const bench = await connected({ contacts: [{ email: 'pat@new.example' }] })
    await saveLedger(bench, [customer('a', 'pat@new.example')])
    const { crm } = bench.deps
    const tieContacts = () => Promise.reject(new Error('the process died'))
    await expect(bench.push({ crm: { ...crm, tieContacts } })).rejects.toThrow('died')
    await bench.resume()
    expect(contactTies(bench)).toEqual(['contact pat@new.example -> company new.example'])
  })
})

describe('an address that changes in Stripe', () => {
  const seed = {
    companies: [
      { name: 'Alpha', domain: 'alpha.example' },
      { name: 'Other', domain: 'other.example' },
    ],
    contacts: [
      { email: 'ann@alpha.example', companyDomain: 'alpha.example' },
      { email: 'bob@other.example' },
    ],
  }
  const change = async (bench: Bench, email: string | null) => {
    await saveLedger(bench, [customer('a', email)])
    await push(bench)
  }
  const contactsOf = (bench: Bench) => [
    ...tiesOf(bench, 'subscription sub_a', 'contact'),
    ...tiesOf(bench, 'event ev_a', 'contact'),
  ]

  it.each(['found by the contact', 'chosen by a person'])(
    'leads to the new person, with a company %s',
    async (how) => {
      const bench = await connected(seed)
      await change(bench, 'ann@alpha.example')
      if (how === 'chosen by a person')
        await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
          ...{ companyRecordId: recordIdOf(bench, '0-2', 'name', 'Alpha'), remember: false },
        })
      await change(bench, 'bob@other.example')
      expect(contactsOf(bench)).toEqual(['bob@other.example', 'bob@other.example'])
      expect(await lastMatch(bench, 'a')).toMatch(/^linked .* Alpha$/)
      await change(bench, 'new@other.example')
      expect(contactsOf(bench)).toEqual(['new@other.example', 'new@other.example'])
      expect(contactTies(bench)).toContain('contact new@other.example -> company alpha.example')
    },
  )

  it('or is taken out leaves the records with the former one until there is another', async () => {
    const bench = await connected(seed)
    await change(bench, 'ann@alpha.example')
    await change(bench, null)
    expect(contactsOf(bench)).toEqual(['ann@alpha.example', 'ann@alpha.example'])
    await change(bench, 'new@other.example')
    expect(contactsOf(bench)).toEqual(['new@other.example', 'new@other.example'])
  })

  it('is not read into a contact whose address people changed in HubSpot', async () => {
    const bench = await connected(seed)
    await change(bench, 'ann@alpha.example')
    const id = recordIdOf(bench, '0-1', 'email', 'ann@alpha.example')
    await inHubspot(bench, 'edit', { type: '0-1', id, properties: { email: 'ann.new@alpha.example' } })
    await push(bench)
    expect(contactsOf(bench)).toEqual(['ann.new@alpha.example', 'ann.new@alpha.example'])
    expect(dumpCrm(bench).contact).toHaveLength(2)
  })
})

describe('a domain that may not decide', () => {
  const accountancy = {
    companies: [{ name: 'Bookkeepers', domain: 'bookkeepers.example' }],
    contacts: [{ email: 'kim@bookkeepers.example', companyDomain: 'bookkeepers.example' }],
  }
  const never = (bench: Bench) =>
    decideDomain(bench.deps, bench.organizationId, { domain: 'bookkeepers.example', companyRecordId: null })

  it('does not by the contact either: further customers wait, and those of the contact wait again', async () => {
    const bench = await connected(accountancy)
    await saveWithDomains(bench, [customer('a', 'kim@bookkeepers.example')])
    await push(bench)
    expect(await lastMatch(bench, 'a')).toBe('linked contact_email Bookkeepers')
    expect(await never(bench)).toMatchObject({ moved: 1 })
    await saveWithDomains(bench, [customer('b', 'kim@bookkeepers.example')])
    await push(bench)
    await push(bench, { retriesFailed: true })
    const waits = 'pending never_rule Bookkeepers'
    expect(await matchesOf(bench)).toEqual({ a: waits, b: waits })
    expect(tiesOf(bench, 'subscription sub_a', 'company')).toEqual([])
  })

  it('does not on a later push either, when HubSpot has tied the new contact to the company of the domain', async () => {
    const bench = await connected(accountancy)
    await inHubspot(bench, 'settings', { createCompaniesFromContacts: true })
    await never(bench)
    await saveWithDomains(bench, [customer('c', 'lou@bookkeepers.example')])
    for (let round = 0; round < 3; round++) {
      await push(bench)
      expect(await lastMatch(bench, 'c'), `push ${round + 1}`).toBe('pending never_rule Bookkeepers')
    }
    expect(contactTies(bench)).toContain('contact lou@bookkeepers.example -> company bookkeepers.example')
  })

  it('has its customers wait for whom a company was made by it', async () => {
    const bench = await connected()
    await saveWithDomains(bench, [customer('a', 'kim@bookkeepers.example')])
    await push(bench)
    expect(await never(bench)).toMatchObject({ moved: 1 })
    await push(bench)
    expect(await lastMatch(bench, 'a')).toBe('pending never_rule Firm a')
  })

  it('shared by many customers, is not made to decide by what HubSpot ties later', async () => {
    const bench = await connected({ companies: [{ name: 'Campus', domain: 'campus.example' }] })
    await inHubspot(bench, 'settings', { createCompaniesFromContacts: true })
    const rows = Array.from({ length: 11 }, (_, n) => customer(String(n + 10), `n${n}@campus.example`))
    await saveWithDomains(bench, rows)
    for (let round = 0; round < 2; round++) await push(bench)
    expect(new Set(Object.values(await matchesOf(bench)))).toEqual(new Set(['pending shared_domain Campus']))
  })
})

describe('what somebody deleted', () => {
  it('is a contact of the address, whoever has it, also when failures are tried again', async () => {
    const bench = await connected({ companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    await push(bench)
    await inHubspot(bench, 'archive', {
      type: '0-1',
      id: recordIdOf(bench, '0-1', 'email', 'pat@alpha.example'),
    })
    await push(bench)
    await saveLedger(bench, [customer('b', ' Pat@Alpha.example')])
    await push(bench)
    await bench.retryFailed()
    expect(dumpCrm(bench).contact).toEqual([])
    expect(tiesOf(bench, 'subscription sub_b', 'company')).toEqual(['alpha.example'])
    await saveLedger(bench, [customer('c', 'lou@alpha.example')])
    await push(bench)
    expect(dumpCrm(bench).contact).toHaveLength(1)
  })

  it('is forgotten once it stands there again', async () => {
    const bench = await connected({ companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    await push(bench)
    const id = recordIdOf(bench, '0-1', 'email', 'pat@alpha.example')
    await inHubspot(bench, 'archive', { type: '0-1', id })
    await push(bench)
    await inHubspot(bench, 'restore', { type: '0-1', id })
    await push(bench)
    await inHubspot(bench, 'edit', { type: '0-1', id, properties: { email: 'other@alpha.example' } })
    await saveLedger(bench, [customer('b', 'pat@alpha.example')])
    await push(bench)
    expect(tiesOf(bench, 'subscription sub_b', 'contact')).toEqual(['pat@alpha.example'])
  })

  it('is a company of the domain, for further customers of it, whatever it was called and had for a domain', async () => {
    const bench = await connected()
    await saveLedger(bench, [customer('a', 'pat@made.example'), customer('m', 'pat@moved.example')])
    await push(bench)
    const [made, moved] = ['Firm a', 'Firm m'].map((name) => recordIdOf(bench, '0-2', 'name', name))
    await inHubspot(bench, 'edit', { type: '0-2', id: moved, properties: { domain: 'group.example' } })
    await push(bench)
    for (const id of [made, moved]) await inHubspot(bench, 'archive', { type: '0-2', id })
    await push(bench)
    await saveLedger(bench, [customer('b', 'lou@made.example'), customer('n', 'lou@moved.example')])
    await push(bench)
    expect(dumpCrm(bench).company).toEqual([])
    expect(await matchesOf(bench)).toMatchObject({ b: 'pending company_gone', n: 'pending company_gone' })
  })

  it('is not what was merged into another', async () => {
    const bench = await connected({
      contacts: [{ email: 'one@alpha.example' }, { email: 'two@alpha.example' }],
    })
    await push(bench)
    const [primaryId, secondaryId] = ['one', 'two'].map((name) =>
      recordIdOf(bench, '0-1', 'email', `${name}@alpha.example`),
    )
    await inHubspot(bench, 'merge', { type: '0-1', primaryId, secondaryId })
    await push(bench)
    const merged = recordIdOf(bench, '0-1', 'email', 'one@alpha.example')
    await inHubspot(bench, 'edit', { type: '0-1', id: merged, properties: { hs_additional_emails: '' } })
    await saveLedger(bench, [customer('b', 'two@alpha.example')])
    await push(bench)
    expect(tiesOf(bench, 'subscription sub_b', 'contact')).toEqual(['two@alpha.example'])
  })
})

describe('a contact whose company is gone by the time it is made', () => {
  const many = Array.from({ length: 400 }, (_, n) => ({ name: `Other ${n}`, domain: `other${n}.example` }))

  it.each(['deleted', 'merged'])('is made by the same push: %s', async (what) => {
    const bench = await connected({
      companies: [
        ...many,
        { name: 'Alpha', domain: 'alpha.example' },
        { name: 'Heir', domain: 'heir.example' },
      ],
    })
    await push(bench)
    const [primaryId, secondaryId] = ['Heir', 'Alpha'].map((name) => recordIdOf(bench, '0-2', 'name', name))
    bench.clock.now += 10 * minuteMs
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    const { crm } = bench.deps
    // Between the look and the making: search does not tell of deletions, and of merges only some seconds later.
    const createContacts: typeof crm.createContacts = async (...given) => {
      if (what === 'deleted')
        await inHubspot(bench, 'archive', { type: '0-2', id: secondaryId }).catch(() => {})
      else await inHubspot(bench, 'merge', { type: '0-2', primaryId, secondaryId }).catch(() => {})
      return crm.createContacts(...given)
    }
    const run = await push(bench, { crm: { ...crm, createContacts } })
    expect(tiesOf(bench, 'subscription sub_a', 'contact')).toEqual(['pat@alpha.example'])
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(await lastMatch(bench, 'a')).toBe(
      what === 'deleted' ? 'pending company_gone' : 'linked company_domain Heir',
    )
    expect(contactTies(bench)).toEqual(
      what === 'deleted' ? [] : ['contact pat@alpha.example -> company heir.example'],
    )
  })
})
