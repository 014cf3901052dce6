import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
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
  tiesOf,
} from '#test/match/matches.ts'
import { type Bench, dumpCrm, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'
import { decideDomain } from '../match-rules.ts'
import { createCompanyFor, linkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** Saves the domain of each address, as the import does. */
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
      const bench = await connected(db, {
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
      expect(await matchOf(bench, 'a')).toBe('linked contact_email Second')
    },
  )
})

describe('a company of the domain of a mail provider', () => {
  it('is no evidence for a customer whose contact is tied to it', async () => {
    const bench = await connected(db, {
      companies: [{ name: 'Gmail', domain: 'gmail.com' }],
      contacts: ['kim@acme.example', 'pat@googlemail.com'].map((email) => ({
        email,
        companyDomain: 'gmail.com',
      })),
    })
    await saveLedger(bench, [customer('x', 'kim@acme.example'), customer('y', 'pat@googlemail.com')])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ x: 'linked created Firm x', y: 'pending free_mail' })
  })
})

describe('a contact that stands without a company', () => {
  it('is tied to the one that is made for its domain, by a run or by a person; one that has a company is not', async () => {
    const bench = await connected(db, {
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
    await createCompanyFor(bench.deps, bench.organizationId, 'cus_b', 'Asked', reviewerOf(bench))
    expect(contactTies(bench)).toEqual([
      'contact pat@asked.example -> company asked.example',
      'contact pat@new.example -> company new.example',
      'contact two@new.example -> company alpha.example',
      'contact two@new.example -> company beta.example',
    ])
  })

  it('is tied as well after a death between the two', async () => {
    const bench = await connected(db, { contacts: [{ email: 'pat@new.example' }] })
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
      const bench = await connected(db, seed)
      await change(bench, 'ann@alpha.example')
      if (how === 'chosen by a person')
        await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
          ...{
            companyRecordId: recordIdOf(bench, '0-2', 'name', 'Alpha'),
            remember: false,
            by: reviewerOf(bench),
          },
        })
      await change(bench, 'bob@other.example')
      expect(contactsOf(bench)).toEqual(['bob@other.example', 'bob@other.example'])
      expect(await matchOf(bench, 'a')).toMatch(/^linked .* Alpha$/)
      await change(bench, 'new@other.example')
      expect(contactsOf(bench)).toEqual(['new@other.example', 'new@other.example'])
      expect(contactTies(bench)).toContain('contact new@other.example -> company alpha.example')
    },
  )

  it('or is taken out leaves the records with the former one until there is another', async () => {
    const bench = await connected(db, seed)
    await change(bench, 'ann@alpha.example')
    await change(bench, null)
    expect(contactsOf(bench)).toEqual(['ann@alpha.example', 'ann@alpha.example'])
    await change(bench, 'new@other.example')
    expect(contactsOf(bench)).toEqual(['new@other.example', 'new@other.example'])
  })

  it('is not read into a contact whose address people changed in HubSpot', async () => {
    const bench = await connected(db, seed)
    await change(bench, 'ann@alpha.example')
    const id = recordIdOf(bench, '0-1', 'email', 'ann@alpha.example')
    await inHubspot(bench, 'edit', { type: '0-1', id, properties: { email: 'ann.new@alpha.example' } })
    await push(bench)
    // Another spelling is no other address.
    await change(bench, ' Ann@ALPHA.example')
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
    decideDomain(
      bench.deps,
      bench.organizationId,
      { domain: 'bookkeepers.example', companyRecordId: null },
      reviewerOf(bench, 'admin'),
    )

  it('does not by the contact either: further customers wait, and those of the contact wait again', async () => {
    const bench = await connected(db, accountancy)
    await saveWithDomains(bench, [customer('a', 'kim@bookkeepers.example')])
    await push(bench)
    expect(await matchOf(bench, 'a')).toBe('linked contact_email Bookkeepers')
    expect(await never(bench)).toMatchObject({ moved: 1 })
    await saveWithDomains(bench, [customer('b', 'kim@bookkeepers.example')])
    await push(bench)
    await push(bench, { retriesFailed: true })
    const waits = 'pending never_rule Bookkeepers'
    expect(await matchesOf(bench)).toEqual({ a: waits, b: waits })
    expect(tiesOf(bench, 'subscription sub_a', 'company')).toEqual([])
  })

  it('does not on a later push either, when HubSpot has tied the new contact to the company of the domain', async () => {
    const bench = await connected(db, accountancy)
    await inHubspot(bench, 'settings', { createCompaniesFromContacts: true })
    await never(bench)
    await saveWithDomains(bench, [customer('c', 'lou@bookkeepers.example')])
    for (let round = 0; round < 3; round++) {
      await push(bench)
      expect(await matchOf(bench, 'c'), `push ${round + 1}`).toBe('pending never_rule Bookkeepers')
    }
    expect(contactTies(bench)).toContain('contact lou@bookkeepers.example -> company bookkeepers.example')
  })

  it('has its customers wait for whom a company was made by it', async () => {
    const bench = await connected(db)
    await saveWithDomains(bench, [customer('a', 'kim@bookkeepers.example')])
    await push(bench)
    expect(await never(bench)).toMatchObject({ moved: 1 })
    await push(bench)
    expect(await matchOf(bench, 'a')).toBe('pending never_rule bookkeepers.example')
  })

  it('shared by many customers, is not made to decide by what HubSpot ties later', async () => {
    const bench = await connected(db, { companies: [{ name: 'Campus', domain: 'campus.example' }] })
    await inHubspot(bench, 'settings', { createCompaniesFromContacts: true })
    const rows = Array.from({ length: 11 }, (_, n) => customer(String(n + 10), `n${n}@campus.example`))
    await saveWithDomains(bench, rows)
    for (let round = 0; round < 2; round++) await push(bench)
    expect(new Set(Object.values(await matchesOf(bench)))).toEqual(new Set(['pending shared_domain Campus']))
  })
})
