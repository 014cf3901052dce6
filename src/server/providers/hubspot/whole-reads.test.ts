import { describe, expect, it } from 'vitest'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import type { CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import type { HubspotClient } from './client.ts'
import { createPeopleCalls } from './companies-and-contacts.ts'
import { readTies } from './standing-pairs.ts'

const access: CrmAccess = { portalId: '1', token: async () => 'token' }

/** A HubSpot that gives a list of answers to what is asked of this path, and repeats the last. */
function reading(path: RegExp, ...answers: { status?: number; body: object }[]) {
  const asked = { count: 0 }
  const crm = hubspotBy(async (request) => {
    const { pathname } = new URL(request.url)
    if (!path.test(pathname)) {
      const { inputs } = JSON.parse(await request.text()) as { inputs: object[] }
      return Response.json({ status: 'COMPLETE', results: pathname.includes('/objects/') ? inputs : [] })
    }
    const { status = 200, body } = answers[asked.count++] ?? answers.at(-1) ?? { body: {} }
    return Response.json(body, { status })
  })
  return { crm, asked }
}

const error = (more: object) => ({ body: { status: 'COMPLETE', results: [], errors: [more] }, status: 207 })
const unread = [
  ['a failure of its own', error({ category: 'INTERNAL_ERROR', context: { ids: ['7'] } })],
  ['an error without a category', error({ message: 'no' })],
  ['PENDING', { status: 202, body: { status: 'PENDING', results: [] } }],
  ['PROCESSING', { status: 202, body: { status: 'PROCESSING', results: [] } }],
  ['CANCELED', { body: { status: 'CANCELED', results: [] } }],
] as const
const gone = error({ category: 'OBJECT_NOT_FOUND', context: { ids: ['7'] } })
const record = { body: { status: 'COMPLETE', results: [{ id: '7', properties: {} }] } }
const idsOf = (rows: readonly { recordId: string }[]) => rows.map(({ recordId }) => recordId)

describe.each([
  ['companies', async (crm: CrmPort) => idsOf(await crm.readCompanies(access, ['7']))],
  ['contacts', async (crm: CrmPort) => idsOf(await crm.readContacts(access, ['7']))],
  ['our records', async (crm: CrmPort) => idsOf(await crm.readRecords(access, 'event', '2-2', ['7']))],
])('a read of %s', (_, read) => {
  it.each([...unread, ['a success without the row', { body: { status: 'COMPLETE', results: [] } }] as const])(
    'takes %s for no answer, and asks again',
    async (_, strange) => {
      const { crm, asked } = reading(/\/objects\/.*read$/, strange, record)
      expect(await read(crm)).toEqual(['7'])
      expect(asked.count).toBe(2)
      await expect(read(reading(/\/objects\/.*read$/, strange).crm)).rejects.toMatchObject({
        kind: 'unavailable',
      })
    },
  )

  it('finds none where HubSpot says so, and a merged record under its new id', async () => {
    const { crm, asked } = reading(/\/objects\/.*read$/, gone, {
      body: { results: [{ id: '9', properties: { hs_merged_object_ids: '7' } }] },
    })
    expect(await read(crm)).toEqual([])
    expect(await read(crm)).toEqual(['9'])
    expect(asked.count).toBe(2)
  })
})

describe('a read of the companies of contacts', () => {
  const ties = { body: { results: [{ from: { id: '7' }, to: [{ toObjectId: '5' }] }] } }
  it.each(unread)('takes %s for no answer, and asks again', async (_, strange) => {
    const { crm, asked } = reading(/associations.*read$/, strange, ties)
    expect(await crm.listCompaniesOfContacts(access, ['7'])).toEqual(new Map([['7', ['5']]]))
    expect(asked.count).toBe(2)
  })

  it.each([
    ['no error', { body: { status: 'COMPLETE', results: [] } }],
    ['its word for none', error({ subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND' })],
    ['a contact that is gone', error({ category: 'OBJECT_NOT_FOUND' })],
  ])('finds none where HubSpot gives %s', async (_, none) => {
    const { crm, asked } = reading(/associations.*read$/, none)
    expect(await crm.listCompaniesOfContacts(access, ['7'])).toEqual(new Map())
    expect(asked.count).toBe(1)
  })

  it('ends where pages lead back to an earlier one, without an answer', async () => {
    let asked = 0
    const call: HubspotClient = async (_access, { answer }) => {
      asked += 1
      if (asked > 9) throw new Error('The same pages were asked for again.')
      const page = {
        from: { id: '1' },
        to: [{ toObjectId: '2' }],
        paging: { next: { after: `${asked % 2}` } },
      }
      return answer.parse({ results: [page] })
    }
    await expect(readTies(call, access, '0-1', '0-2', ['1'])).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

it('a list does not follow a page that leads back', async () => {
  const call: HubspotClient = async (_access, { answer }) =>
    answer.parse({ results: [{ id: '3' }], paging: { next: { after: '5' } } })
  const { listCompanies } = createPeopleCalls(call)
  expect(await listCompanies(access, '4')).toMatchObject({ after: '5' })
  await expect(listCompanies(access, '12')).rejects.toMatchObject({ kind: 'unavailable' })
})

it('a failure of HubSpot of its own refuses no record and no association', async () => {
  const failed = error({ category: 'INTERNAL_ERROR', message: 'internal error' })
  const { crm } = reading(/upsert$|default$/, failed)
  const write = { key: 'k', values: { eventId: 'k' }, isNew: false }
  expect(await crm.upsertRecords(access, 'event', '2-2', [write])).toMatchObject([{ state: 'unknown' }])
  const pair = { fromId: '1', toId: '2' }
  expect(await crm.associate(access, '2-2', 'company', [pair])).toMatchObject([{ isUnknown: true }])
})

it('a failure of HubSpot of its own while it deletes or separates is no answer', async () => {
  const { crm } = reading(/archive$/, error({ category: 'INTERNAL_ERROR', context: { ids: ['7'] } }))
  await expect(crm.archiveRecords(access, '2-2', ['7'])).rejects.toMatchObject({ kind: 'unavailable' })
  const pairs = [{ fromId: '7', toId: '2' }]
  await expect(crm.dissociate(access, '2-2', 'company', pairs)).rejects.toMatchObject({ kind: 'unavailable' })
})
