import { expect, it } from 'vitest'
import { recordAnswer } from './answers.ts'
import { companyOf } from './companies-and-contacts.ts'

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
