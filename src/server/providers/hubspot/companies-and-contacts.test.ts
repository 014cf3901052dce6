import { expect, it } from 'vitest'
import { recordAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { companyOf, createPeopleCalls } from './companies-and-contacts.ts'
import { readTies } from './standing-pairs.ts'

const factsOf = (properties: object) => companyOf(recordAnswer.parse({ id: '7', properties })).facts
const none = { createdAt: null, contactCount: null, dealCount: null, lastActivityAt: null }

it('reads what HubSpot says of a company', () => {
  const facts = factsOf({
    createdate: '2024-03-03T09:30:00.000Z',
    num_associated_contacts: '12',
    num_associated_deals: '0',
    notes_last_updated: '1793577600000',
  })
  expect(facts).toEqual({
    createdAt: new Date('2024-03-03T09:30:00Z'),
    contactCount: 12,
    dealCount: 0,
    lastActivityAt: new Date('2026-11-02T00:00:00Z'),
  })
})

it('leaves out what HubSpot does not say', () => {
  expect(factsOf({})).toEqual(none)
  expect(factsOf({ createdate: null, num_associated_contacts: '', notes_last_updated: '' })).toEqual(none)
})

it.each([
  ['2026-02-30T99:99:99Z', '-1'],
  ['tomorrow', '1e3'],
  ['+275760-09-13T00:00:00.000Z', '3.5'],
  ['999999999999999', '99999999999'],
  ['1'.repeat(100_000), '9'.repeat(100_000)],
  [`2026-01-01T${'0'.repeat(100_000)}Z`, '\u0000'],
  [{ value: '2026-01-01T00:00:00Z' }, 12],
  [['2026-01-01T00:00:00Z'], true],
  [1_793_577_600_000, {}],
])('takes %.40j and %.40j for nothing', (instant, count) => {
  const properties = {
    ...{ createdate: instant, notes_last_updated: instant },
    ...{ num_associated_contacts: count, num_associated_deals: count },
  }
  expect(factsOf(properties)).toEqual(none)
})

const access = { portalId: '1', token: async () => '' }
type Read = { inputs: { id: string; after?: string }[] }

/** HubSpot with these contacts in its list; each of them has the companies 1 to 3, of which 3 is its primary one. */
function listing(associations: object[]): { call: HubspotClient; reads: Read['inputs'][] } {
  const reads: Read['inputs'][] = []
  const primary = { category: 'HUBSPOT_DEFINED', typeId: 1 }
  const call: HubspotClient = async (_access, { path, json, answer }) => {
    if (!path.endsWith('/read'))
      return answer.parse({
        results: associations.map((companies, index) => ({ id: `${index}`, associations: { companies } })),
      })
    const { inputs } = json as Read
    reads.push(inputs)
    const to = (ids: string[]) =>
      ids.map((toObjectId) => ({ toObjectId, associationTypes: toObjectId === '3' ? [primary] : [] }))
    const results = inputs.map(({ id, after }) =>
      after === undefined
        ? { from: { id }, to: to(['1', '2']), paging: { next: { after: '2' } } }
        : { from: { id }, to: to(['3']) },
    )
    return answer.parse({ results })
  }
  return { call, reads }
}

it('reads all companies of a contact whose list of them is cut', async () => {
  const { call, reads } = listing([
    { results: [{ id: '9', type: 'contact_to_company' }] },
    { results: [{ id: '1' }, { id: '2' }], paging: { next: { after: '2' } } },
  ])
  const { rows } = await createPeopleCalls(call).listContacts(access, null)
  expect(rows.map(({ companyRecordIds }) => companyRecordIds)).toEqual([['9'], ['1', '2', '3']])
  expect(rows.map(({ primaryCompanyId }) => primaryCompanyId)).toEqual(['9', '3'])
  expect(reads).toEqual([[{ id: '1' }], [{ id: '1', after: '2' }]])
})

it('reads no page of associations without end', async () => {
  let asked = 0
  const call: HubspotClient = async (_access, { answer }) => {
    asked += 1
    if (asked > 9) throw new Error('The same page was asked for again.')
    const page = { from: { id: '1' }, to: [{ toObjectId: '2' }], paging: { next: { after: '2' } } }
    return answer.parse({ results: [page] })
  }
  const ties = await readTies(call, access, '0-1', '0-2', ['1'])
  expect(new Set(ties.get('1')?.map(({ recordId }) => recordId))).toEqual(new Set(['2']))
})

it.each(['1;2', '1; 2', ' 1 ;2;'])('reads the ids of merged records from %j', (text) => {
  expect(
    companyOf(recordAnswer.parse({ id: '7', properties: { hs_merged_object_ids: text } })).mergedIds,
  ).toEqual(['1', '2'])
})
