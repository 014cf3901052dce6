import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { forecastMatching } from '../match-companies.ts'
import { ignoreCustomer, linkCustomer } from '../review/review-match.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

async function benchWith(emails: Record<string, string>, companies: CrmSeed['companies']): Promise<Bench> {
  const bench = await openBench(db, { seed: { companies, contacts: [] } })
  await bench.connect()
  await addCustomers(bench, emails)
  return bench
}
const addCustomers = (bench: Bench, emails: Record<string, string>) =>
  saveLedger(
    bench,
    Object.entries(emails).map(([id, email]) => ({ id, name: `Customer ${id}`, email, mrrCents: 100 })),
  )
const companyCount = (bench: Bench) => dumpCrm(bench).company.length

describe('a company of the same name that has no domain', () => {
  const seed = [{ name: 'Acme GmbH' }, { name: 'Beta', domain: 'beta.example' }]
  const named = (bench: Bench, rows: Record<string, [string, string]>) =>
    saveLedger(
      bench,
      Object.entries(rows).map(([id, [name, email]]) => ({ id, name, email, mrrCents: 100 })),
    )

  it('is offered, and no other one is made beside it, for no customer of the domain', async () => {
    const bench = await benchWith({}, seed)
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await named(bench, { a: ['ACME GmbH ', 'pay@acme.example'], b: ['Acme Support', 'it@acme.example'] })
    expect(await forecastMatching(bench.deps, bench.organizationId)).toMatchObject({ companiesToCreate: 0 })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      a: 'pending same_name Acme GmbH',
      b: 'pending same_name Acme GmbH',
    })
    expect(companyCount(bench)).toBe(2)
    await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
      ...{ companyRecordId: recordIdOf(bench, '0-2', 'name', 'Acme GmbH'), remember: true },
      by: reviewerOf(bench),
    })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked person Acme GmbH', b: 'linked rule Acme GmbH' })
  })

  it('is offered whatever the legal form of either name', async () => {
    const bench = await benchWith({}, [{ name: 'Acme' }, { name: 'Delta AG' }, { name: 'Acme Labs' }])
    await named(bench, { a: ['Acme GmbH & Co. KG', 'pay@acme.example'], d: ['DELTA', 'pay@delta.example'] })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      a: 'pending same_name Acme',
      d: 'pending same_name Delta AG',
    })
    expect(companyCount(bench)).toBe(3)
  })

  it('is offered to a customer of the domain also where that of its name no longer waits', async () => {
    const bench = await benchWith({}, seed)
    await named(bench, { a: ['Acme GmbH', 'pay@acme.example'] })
    await query(db.ownerUrl, "update customers set domain = 'acme.example' where id = 'cus_a'")
    await bench.push()
    await ignoreCustomer(bench.deps, bench.organizationId, 'cus_a', reviewerOf(bench))
    await named(bench, { b: ['Acme Support', 'it@acme.example'] })
    await bench.push()
    expect(await matchesOf(bench)).toMatchObject({ b: 'pending same_name Acme GmbH' })
    expect(companyCount(bench)).toBe(2)
  })

  it('does not keep one from being made whose namesake has another domain, or no name', async () => {
    const bench = await benchWith({}, [...seed, { name: 'Test' }])
    await named(bench, { a: ['Beta', 'pay@other.example'], t: ['Test', 'pay@tested.example'] })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      a: 'linked created Beta',
      t: 'linked created tested.example',
    })
  })
})

describe('a sister subdomain', () => {
  const sister = { name: 'Sibco Labs', domain: 'labs.sibco.example' }

  it('is offered with its reason, and attached by a person alone', async () => {
    const bench = await benchWith({ a: 'pay@finance.sibco.example' }, [sister])
    await bench.control('/_control/settings', { hubId: enterprise, createCompaniesFromContacts: true })
    await bench.push()
    await bench.push({ retriesFailed: true })
    expect(await matchesOf(bench)).toEqual({ a: 'pending related_domain Sibco Labs' })
    expect(dumpCrm(bench)).toMatchObject({ company: [expect.stringContaining('Sibco Labs')], contact: [] })
    const companyRecordId = recordIdOf(bench, '0-2', 'name', 'Sibco Labs')
    await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
      companyRecordId,
      remember: true,
      by: reviewerOf(bench),
    })
    await addCustomers(bench, { b: 'pay@shop.sibco.example' })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked person Sibco Labs', b: 'linked rule Sibco Labs' })
    expect(dumpCrm(bench).associations).toContain('subscription sub_a -> company labs.sibco.example')
  })

  it.each([
    ['a parent', 'pay@finance.sibco.example', 'sibco.example'],
    ['a part', 'pay@sibco.example', 'labs.sibco.example'],
    [
      'another sister by its additional domain',
      'pay@finance.sibco.example',
      'sibco.test',
      'labs.sibco.example',
    ],
  ])('and %s are candidates only', async (_, email, domain, ...additionalDomains) => {
    const bench = await benchWith({ a: email }, [{ name: 'Sibco', domain, additionalDomains }])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'pending related_domain Sibco' })
    expect(companyCount(bench)).toBe(1)
  })

  it.each([
    ['pay@mail.sibco.example', 'sibco.example'],
    ['pay@sibco.example', 'https://www.sibco.example'],
    ['pay@sibco.example', 'mail.sibco.example'],
    ['pay@mx1.labs.sibco.example', 'labs.sibco.example'],
  ])('is not %s of %s, which only serves its mail or pages', async (email, domain) => {
    const bench = await benchWith({ a: email }, [{ name: 'Sibco', domain }, sister])
    await bench.push()
    const company =
      domain === sister.domain ? 'pending several_candidates Sibco,Sibco Labs' : 'linked company_domain Sibco'
    expect(await matchesOf(bench)).toEqual({ a: company })
  })

  it('is no sister where strangers register below one ending', async () => {
    const bench = await benchWith({ a: 'pay@one.myshopify.com', b: 'pay@two.co.uk' }, [
      { name: 'Other Shop', domain: 'other.myshopify.com' },
      { name: 'Other Ltd', domain: 'other.co.uk' },
    ])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked created Customer a', b: 'linked created Customer b' })
  })

  it('waits too when both come new, in one push or in two', async () => {
    const bench = await benchWith(
      { a: 'pay@finance.sibco.example', b: 'pay@labs.sibco.example', c: 'it@finance.sibco.example' },
      [],
    )
    await bench.push()
    const expected = {
      a: 'linked created sibco.example',
      b: 'pending related_domain sibco.example',
      c: 'linked created sibco.example',
    }
    expect(await matchesOf(bench)).toEqual(expected)
    await addCustomers(bench, { d: 'pay@shop.sibco.example', e: 'pay@sibco.example' })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      ...expected,
      d: 'pending related_domain sibco.example',
      e: 'linked company_domain sibco.example',
    })
    expect(companyCount(bench)).toBe(1)
  })

  it('gives way to the domain itself, whoever comes first, as the forecast says', async () => {
    const bench = await benchWith({ a: 'pay@finance.sibco.example', b: 'pay@sibco.example' }, [])
    expect(await forecastMatching(bench.deps, bench.organizationId)).toMatchObject({
      companiesToCreate: 1,
      contactsToCreate: 1,
      toReview: 1,
    })
    await bench.push()
    expect(await matchesOf(bench)).toEqual({
      a: 'pending related_domain Customer b',
      b: 'linked created Customer b',
    })
  })
})

describe('a company with a website and no domain', () => {
  it.each([
    'https://www.webonly.example/en',
    'HTTP://WebOnly.EXAMPLE:8080',
    'webonly.example/about?x=1',
    'https://mail.webonly.example',
  ])('%s is found by it', async (website) => {
    const bench = await benchWith({ a: 'pay@webonly.example' }, [{ name: 'Web Only', website }])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked company_domain Web Only' })
    expect(companyCount(bench)).toBe(1)
  })

  it('is found in another spelling of its host', async () => {
    const bench = await benchWith({ a: 'pay@xn--bcher-kva.example' }, [
      { name: 'Bücher', website: 'https://www.Bücher.example/' },
    ])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked company_domain Bücher' })
  })

  it('is offered where the website is only related', async () => {
    const bench = await benchWith({ a: 'pay@webonly.example' }, [
      { name: 'Web Only', website: 'https://shop.webonly.example' },
    ])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'pending related_domain Web Only' })
    expect(companyCount(bench)).toBe(1)
  })

  it('is not found by a page that it has on a site of many', async () => {
    const bench = await benchWith({ a: 'pay@linkedin.com' }, [
      { name: 'Bakery', website: 'https://uk.linkedin.com/company/bakery' },
    ])
    await bench.push()
    expect(await matchesOf(bench)).toEqual({ a: 'linked created Customer a' })
  })

  it('is found after a website was written into it, which only the search for changes tells', async () => {
    const bench = await benchWith({ a: 'pay@webonly.example' }, [
      { name: 'Web Only' },
      // Too many to be listed at every push.
      ...Array.from({ length: 300 }, (_, n) => ({ name: `Other ${n}`, domain: `other${n}.example` })),
    ])
    await addCustomers(bench, { a: 'pay@other1.example' })
    await bench.push()
    const id = recordIdOf(bench, '0-2', 'name', 'Web Only')
    const website = 'https://webonly.example'
    await bench.control('/_control/edit', { hubId: enterprise, type: '0-2', id, properties: { website } })
    bench.clock.now += 10_000
    await addCustomers(bench, { b: 'pay@webonly.example' })
    bench.simulator.requests.clear()
    await bench.push()
    expect(await matchesOf(bench)).toMatchObject({ b: 'linked company_domain Web Only' })
    expect(bench.simulator.requests.list('/crm/objects/2026-09/0-2/search')).toHaveLength(1)
  })
})
