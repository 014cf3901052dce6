import { expect, it } from 'vitest'
import { connect } from '../test-client.ts'

async function openCompanies(companies: readonly Record<string, string>[]) {
  const app = await connect()
  const path = '/crm/objects/2026-09/companies'
  await app.call('POST', `${path}/batch/create`, { inputs: companies.map((properties) => ({ properties })) })
  const search = (body: object) => app.call('POST', `${path}/search`, body)
  const names = async (filter: object) => {
    const { body } = await search({ filterGroups: [{ filters: [filter] }], properties: ['name'] })
    return body.results.map((record: { properties: { name: string } }) => record.properties.name)
  }
  return { app, path, search, names }
}

const companies = [
  { name: 'Acme', domain: 'acme.example', numberofemployees: '9' },
  { name: 'Acme Bank', domain: 'bank.acme.example', numberofemployees: '100' },
  { name: 'Bolt', domain: 'Bolt.example', lifecyclestage: 'customer' },
]

it('learns of a new record, and of a change, only after the lag', async () => {
  const { app, path, names } = await openCompanies(companies)
  const byDomain = (value: string) => names({ propertyName: 'domain', operator: 'EQ', value })
  expect(await byDomain('acme.example')).toEqual([])
  app.clock.now += 3_000
  expect(await byDomain('acme.example')).toEqual(['Acme'])
  const [acme] = app.simulator.portal(24180001).records('0-2')
  await app.call('PATCH', `${path}/${acme?.id}`, { properties: { domain: 'new.example' } })
  app.clock.now += 2_999
  expect([await byDomain('acme.example'), await byDomain('new.example')]).toEqual([['Acme'], []])
  app.clock.now += 1
  expect([await byDomain('acme.example'), await byDomain('new.example')]).toEqual([[], ['Acme']])
  await app.call('DELETE', `${path}/${acme?.id}`)
  expect(await byDomain('new.example')).toEqual([])
})

it.each([
  ['EQ', { value: 'BOLT.EXAMPLE' }, ['Bolt']],
  ['NEQ', { value: 'acme.example' }, ['Acme Bank', 'Bolt']],
  ['IN', { values: ['acme.example', 'bolt.example'] }, ['Acme', 'Bolt']],
  ['IN', { values: ['Bolt.example'] }, []],
  ['NOT_IN', { values: ['bolt.example'] }, ['Acme', 'Acme Bank']],
  ['CONTAINS_TOKEN', { value: 'acme' }, ['Acme', 'Acme Bank']],
  ['CONTAINS_TOKEN', { value: 'bol*' }, ['Bolt']],
])('%s on a domain with %o finds %o', async (operator, given, found) => {
  const { app, names } = await openCompanies(companies)
  app.clock.now += 3_000
  expect(await names({ propertyName: 'domain', operator, ...given })).toEqual(found)
})

it.each([
  ['GT', '9', ['Acme Bank']],
  ['GTE', '9', ['Acme', 'Acme Bank']],
  ['LT', '100', ['Acme']],
  ['LTE', '8', []],
  ['HAS_PROPERTY', '', ['Acme', 'Acme Bank']],
  ['NOT_HAS_PROPERTY', '', ['Bolt']],
])('%s on a number compares as a number', async (operator, value, found) => {
  const { app, names } = await openCompanies(companies)
  app.clock.now += 3_000
  expect(await names({ propertyName: 'numberofemployees', operator, value })).toEqual(found)
})

it('joins groups by or and filters by and, sorts, and pages by whole numbers', async () => {
  const { app, search } = await openCompanies(companies)
  app.clock.now += 3_000
  const has = { propertyName: 'numberofemployees', operator: 'HAS_PROPERTY' }
  const filterGroups = [
    { filters: [has, { propertyName: 'name', operator: 'EQ', value: 'acme' }] },
    { filters: [{ propertyName: 'lifecyclestage', operator: 'EQ', value: 'customer' }] },
  ]
  const sorts = [{ propertyName: 'hs_object_id', direction: 'DESCENDING' }]
  const first = await search({ filterGroups, sorts, limit: 1 })
  expect(first.body).toMatchObject({ total: 2, results: [{ properties: { name: 'Bolt' } }] })
  expect(first.body.paging.next.after).toBe('1')
  expect(await search({ filterGroups, sorts: ['-hs_object_id'], limit: 1 })).toEqual(first)
  const second = await search({ filterGroups, sorts, limit: 1, after: '1' })
  expect(await search({ filterGroups, sorts: ['hs_object_id'], limit: 1 })).not.toEqual(first)
  expect(second.body.results).toMatchObject([{ properties: { name: 'Acme' } }])
  expect(second.body.paging).toBeUndefined()
})

it.each([
  [{ properties: ['x'.repeat(3_000)] }],
  [{ limit: 201 }],
  [{ limit: 200, after: '9900' }],
  [{ sorts: ['name', 'domain'] }],
  [{ filterGroups: Array.from({ length: 6 }, () => ({ filters: [] })) }],
  [{ filterGroups: [{ filters: [{ propertyName: 'name', operator: 'LIKE', value: 'a' }] }] }],
  [{ filterGroups: [{ filters: [{ propertyName: 'nothing', operator: 'EQ', value: 'a' }] }] }],
])('refuses %#', async (body) => {
  const { search } = await openCompanies([])
  expect((await search(body)).status).toBe(400)
})
