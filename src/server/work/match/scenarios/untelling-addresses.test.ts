import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { matchesOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { forecastMatching } from '../match-companies.ts'
import { decideDomain } from '../match-rules.ts'
import { createCompanyFor } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

async function benchWith(customers: [string, string, string | null][], seed?: CrmSeed): Promise<Bench> {
  const bench = await openBench(db, seed && { seed })
  await bench.connect()
  await saveLedger(
    bench,
    customers.map(([id, name, email]) => ({ id, name, email, mrrCents: 100 })),
  )
  return bench
}
const makesCompanies = (bench: Bench) =>
  bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })

const northwind = { name: 'Northwind', domain: 'northwind.com' }

describe('an address whose ending does not exist', () => {
  it('becomes neither company nor contact, and waits to be put right', async () => {
    const emails = ['ann@northwind.con', 'ann@gmail.con', 'ann@mail.northwind.local', 'ann@northwind..com']
    const bench = await benchWith(
      emails.map((email) => [email, 'Northwind Traders', email]),
      { companies: [northwind], contacts: [] },
    )
    expect(await forecastMatching(bench.deps, bench.organizationId)).toMatchObject({
      companiesToCreate: 0,
      contactsToCreate: 0,
      toReview: emails.length,
    })
    const run = await bench.push()
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(await matchesOf(bench)).toEqual(
      Object.fromEntries(emails.map((email) => [email, 'pending invalid_email'])),
    )
    expect(dumpCrm(bench)).toMatchObject({
      company: [expect.stringContaining('northwind.com')],
      contact: [],
    })
  })

  it('is attached as soon as it is put right in Stripe', async () => {
    const bench = await benchWith([['ann', 'Northwind Traders', 'ann@northwind.con']], {
      companies: [northwind],
      contacts: [],
    })
    await bench.push()
    await saveLedger(bench, [{ id: 'ann', name: 'Ann', email: 'ann@northwind.com', mrrCents: 100 }])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ ann: 'linked company_domain Northwind' })
    expect(dumpCrm(bench).associations).toContain('subscription sub_ann -> contact ann@northwind.com')
  })
})

const untelling: [string, string][] = [
  ['duck.com', 'free_mail'],
  ['privaterelay.appleid.com', 'free_mail'],
  ['relay.firefox.com', 'free_mail'],
  ['mailinator.com', 'free_mail'],
  ['btinternet.com', 'free_mail'],
  ['ziggo.nl', 'free_mail'],
  ['gmial.com', 'misspelled_email'],
  ['hotmail.co', 'misspelled_email'],
]

describe('a domain that says nothing of the company', () => {
  /** One customer with an address of each. */
  const customers = untelling.map(([host]): [string, string, string] => [host, 'Zoe', `zoe@${host}`])
  const waiting = untelling.map(([host, evidence]) => [host, expect.stringContaining(`pending ${evidence}`)])

  it('gets a contact and no company', async () => {
    const bench = await benchWith(customers)
    await bench.push()
    expect(await matchesOf(bench)).toEqual(Object.fromEntries(waiting))
    const { company, contact } = dumpCrm(bench)
    expect(company).toEqual([])
    expect(contact).toHaveLength(untelling.length)
    for (const [, , email] of customers) expect(contact.join()).toContain(email)
  })

  it('is no company’s either when HubSpot makes one of it', async () => {
    const bench = await benchWith(customers)
    await makesCompanies(bench)
    await bench.push()
    await bench.push({ retriesFailed: true })
    expect(await matchesOf(bench)).toEqual(Object.fromEntries(waiting))
    const ties = dumpCrm(bench).associations.filter((tie) => /^subscription .* -> company/.test(tie))
    expect(ties).toEqual([])
  })

  it('leaves a contact with the company that somebody gave it', async () => {
    const bench = await benchWith([['zoe', 'Zoe', 'zoe@duck.com']], {
      companies: [northwind],
      contacts: [{ email: 'zoe@duck.com', companyDomain: 'northwind.com' }],
    })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ zoe: 'linked contact_email Northwind' })
  })
})

describe('a domain that may be a provider’s which no list knows', () => {
  it('waits, whatever HubSpot makes of contacts', async () => {
    const bench = await benchWith([['zoe', 'Zoe', 'zoe@quickmail.example']])
    await makesCompanies(bench)
    await bench.push()
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ zoe: 'pending doubtful_domain' })
    expect(dumpCrm(bench).company).toEqual([])
  })

  it('is a company’s where one of that domain stands in HubSpot, or a person makes one', async () => {
    const bench = await benchWith(
      [
        ['ann', 'Ann', 'ann@royalmail.example'],
        ['zoe', 'Zoe', 'zoe@quickmail.example'],
      ],
      { companies: [{ name: 'Royal Mail', domain: 'royalmail.example' }], contacts: [] },
    )
    await bench.push()
    await createCompanyFor(bench.deps, bench.organizationId, 'cus_zoe', 'Quickmail', reviewerOf(bench))
    await saveLedger(bench, [{ id: 'pat', name: 'Pat', email: 'pat@quickmail.example', mrrCents: 1 }])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      ann: 'linked company_domain Royal Mail',
      zoe: 'linked person Quickmail',
      pat: 'linked company_domain Quickmail',
    })
  })

  it('can have a rule, which one that says nothing cannot', async () => {
    const bench = await benchWith([])
    const decide = (domain: string) =>
      decideDomain(
        bench.deps,
        bench.organizationId,
        { domain, companyRecordId: null },
        reviewerOf(bench, 'admin'),
      )
    for (const domain of ['duck.com', 'northwind.con', 'gmial.com', 'relay.firefox.com'])
      await expect(decide(domain), domain).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await decide('quickmail.example')).toMatchObject({ domain: 'quickmail.example' })
  })
})

describe('a name that is none', () => {
  it('names no company', async () => {
    const names = ['none', 'N/A', '-', '[redacted]', '1234', 'Unbekannt', 'pay@nameless.example']
    const domainOf = (index: number) => `nameless${index}.example`
    const bench = await benchWith(names.map((name, n) => [String(n), name, `pay@${domainOf(n)}`]))
    await bench.push()
    expect(await matchesOf(bench)).toEqual(
      Object.fromEntries(names.map((_, n) => [n, `linked created ${domainOf(n)}`])),
    )
    const { company } = dumpCrm(bench)
    expect(company).toHaveLength(names.length)
    for (const n of names.keys()) expect(company.join()).toContain(`"name":"${domainOf(n)}"`)
  })

  it('gives way to the name of the next customer of the domain, and finds no company of its name', async () => {
    const bench = await benchWith(
      [
        ['a', 'none', 'a@nameless.example'],
        ['b', 'Nameless & Sons', 'b@nameless.example'],
        ['c', 'none', 'c@gmail.com'],
      ],
      { companies: [{ name: 'None', domain: 'other.example' }], contacts: [] },
    )
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      a: 'linked created Nameless & Sons',
      b: 'linked created Nameless & Sons',
      c: 'pending free_mail',
    })
  })
})
