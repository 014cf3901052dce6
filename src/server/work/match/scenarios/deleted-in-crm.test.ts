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
import { dumpCrm, saveLedger } from '#test/push/open-bench.ts'
import { linkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

describe('what somebody deleted', () => {
  it('is a contact of the address, whoever has it, also when failures are tried again', async () => {
    const bench = await connected(db, { companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
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

  it('is not the contact of an address that the customer got since, noticed by the same look', async () => {
    const bench = await connected(db, { companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    await push(bench)
    const id = recordIdOf(bench, '0-1', 'email', 'pat@alpha.example')
    await inHubspot(bench, 'archive', { type: '0-1', id })
    await saveLedger(bench, [customer('a', 'lou@alpha.example')])
    await push(bench)
    expect(tiesOf(bench, 'subscription sub_a', 'contact')).toEqual(['lou@alpha.example'])
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    await push(bench)
    expect(dumpCrm(bench).contact).toEqual(['{"email":"lou@alpha.example"}'])
  })

  it('is a contact whose address people changed before, however Stripe spells that of its customer', async () => {
    const bench = await connected(db, { companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
    await saveLedger(bench, [customer('a', ' Pat@BÜCHER.example')])
    await push(bench)
    const id = recordIdOf(bench, '0-1', 'email', 'pat@xn--bcher-kva.example')
    await inHubspot(bench, 'edit', { type: '0-1', id, properties: { email: 'patricia@alpha.example' } })
    await push(bench)
    await inHubspot(bench, 'archive', { type: '0-1', id })
    await push(bench)
    await push(bench)
    expect(dumpCrm(bench).contact).toEqual([])
  })

  it('is forgotten once it stands there again', async () => {
    const bench = await connected(db, { companies: [{ name: 'Alpha', domain: 'alpha.example' }] })
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

  it('is a company that a person chose, until it is restored; another one that they chose is not', async () => {
    const bench = await connected(db, { companies: ['Beta', 'Gamma'].map((name) => ({ name })) })
    await saveLedger(bench, [customer('x', 'kim@gmail.com')])
    await push(bench)
    const id = (name: string) => recordIdOf(bench, '0-2', 'name', name)
    const choose = (name: string) =>
      linkCustomer(bench.deps, bench.organizationId, 'cus_x', {
        ...{ companyRecordId: id(name), remember: false, by: reviewerOf(bench) },
      })
    await choose('Gamma')
    await choose('Beta')
    const beta = id('Beta')
    await push(bench)
    await inHubspot(bench, 'archive', { type: '0-2', id: beta })
    await push(bench)
    expect(await matchOf(bench, 'x')).toBe('pending choice_gone')
    await inHubspot(bench, 'restore', { type: '0-2', id: beta })
    await push(bench)
    expect(await matchOf(bench, 'x')).toBe('linked person Beta')
    expect(dumpCrm(bench).associations).toContain('subscription sub_x -> company Beta')
  })

  it('is a company of the domain, for further customers of it, whatever it was called and had for a domain', async () => {
    const bench = await connected(db)
    await saveLedger(bench, [customer('a', 'pat@made.example'), customer('m', 'pat@moved.example')])
    await push(bench)
    const [made, moved] = ['made.example', 'moved.example'].map((domain) =>
      recordIdOf(bench, '0-2', 'domain', domain),
    )
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
    const bench = await connected(db, {
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
    const bench = await connected(db, {
      companies: [
        ...many,
        { name: 'Alpha', domain: 'alpha.example' },
        { name: 'Heir', domain: 'heir.example' },
      ],
    })
    await push(bench)
    const [primaryId, secondaryId] = ['Heir', 'Alpha'].map((name) => recordIdOf(bench, '0-2', 'name', name))
    bench.clock.now += 600_000
    await saveLedger(bench, [customer('a', 'pat@alpha.example')])
    const { crm } = bench.deps
    // Deletes between search and creation: search never shows deletions, and shows merges only some seconds later.
    const createContacts: typeof crm.createContacts = async (...given) => {
      if (what === 'deleted')
        await inHubspot(bench, 'archive', { type: '0-2', id: secondaryId }).catch(() => {})
      else await inHubspot(bench, 'merge', { type: '0-2', primaryId, secondaryId }).catch(() => {})
      return crm.createContacts(...given)
    }
    const run = await push(bench, { crm: { ...crm, createContacts } })
    expect(tiesOf(bench, 'subscription sub_a', 'contact')).toEqual(['pat@alpha.example'])
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(await matchOf(bench, 'a')).toBe(
      what === 'deleted' ? 'pending company_gone' : 'linked company_domain Heir',
    )
    expect(contactTies(bench)).toEqual(
      what === 'deleted' ? [] : ['contact pat@alpha.example -> company heir.example'],
    )
  })
})
