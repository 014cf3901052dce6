import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  changeListState,
  type ListSpec,
  leftOutOf,
  otherwiseText,
  readListState,
  writeListState,
} from './list-state.ts'

const spec: ListSpec = {
  filters: { status: z.enum(['active', 'canceled'], 'must be a status'), customerId: z.string() },
  sorts: ['updatedAt', 'companyName'],
}
const read = (address: string) => readListState(new URLSearchParams(address), spec)
const initial = {
  page: 1,
  perPage: 10,
  search: '',
  filters: {},
  sort: 'updatedAt',
  order: 'desc',
  columns: '',
}

test('an empty address is the default list', () => expect(read('')).toEqual(initial))

test('an address holds the whole state', () => {
  const address = 'search=acme&status=active&sort=companyName&order=asc&perPage=25&page=3'
  const state = read(address)
  expect(state).toEqual({
    page: 3,
    perPage: 25,
    search: 'acme',
    filters: { status: 'active' },
    sort: 'companyName',
    order: 'asc',
    columns: '',
  })
  expect(writeListState(state, spec).toString()).toBe(address)
})

test.each(['page=0', 'page=-1', 'page=x', 'perPage=11', 'status=odd', 'sort=odd', 'order=odd'])(
  '%s falls back to the default',
  (address) => expect(read(address)).toEqual(initial),
)

test('defaults are left out of the address', () => expect(writeListState(read(''), spec).toString()).toBe(''))

test('a changed search returns to page 1, a changed page keeps the rest', () => {
  const state = read('status=active&page=7')
  expect(changeListState(state, { search: 'acme' })).toMatchObject({ page: 1, filters: { status: 'active' } })
  expect(changeListState(state, { page: 8 })).toMatchObject({ page: 8, filters: { status: 'active' } })
})

test('what cannot be is left out, and the reason is known', () => {
  const params = new URLSearchParams('status=odd&customerId=cus_1&sort=odd&order=up&perPage=7')
  expect(readListState(params, spec).filters).toEqual({ customerId: 'cus_1' })
  expect(leftOutOf(params, spec).map(({ name, text, reason }) => `${name}=${text} ${reason}`)).toEqual([
    'status=odd must be a status',
    'sort=odd is not a column that sorts',
    'order=up must be asc or desc',
    'perPage=7 must be 10 or 25 or 50 or 100',
  ])
  expect(leftOutOf(new URLSearchParams('sort=companyName&order=asc&perPage=25&page=x'), spec)).toEqual([])
})

test('filters change one by one, and an empty text takes one away', () => {
  const state = read('status=active&customerId=cus_1&page=3')
  expect(changeListState(state, { filters: { status: '' } })).toMatchObject({
    page: 1,
    filters: { customerId: 'cus_1' },
  })
})

test('parameters of other parts of the screen stay', () => {
  const others = new URLSearchParams('range=30d&status=odd&page=2')
  expect(writeListState(read('search=a'), spec, others).toString()).toBe('search=a&range=30d')
})

test.each([
  ['', 50, 50],
  ['page=3', 50, 10],
  ['page=3&perPage=25', 50, 25],
  ['perPage=10', 50, 10],
  ['perPage=11', 50, 10],
] as const)(
  'an address with %j has the rows that its writer saw, and the usual %i only on a first page',
  (text, usual, perPage) => {
    expect(readListState(new URLSearchParams(text), spec, usual).perPage).toBe(perPage)
  },
)

test('an address says ten rows where others are usual', () => {
  const state = readListState(new URLSearchParams('perPage=10'), spec, 50)
  expect(String(writeListState(state, spec, new URLSearchParams(), 50))).toBe('perPage=10')
  expect(String(writeListState(state, spec))).toBe('')
})

test('a span that ends before it begins has no end, and of a repeated filter the first one counts', () => {
  const days = { filters: { ...spec.filters, from: z.iso.date(), to: z.iso.date() }, sorts: spec.sorts }
  const backwards = new URLSearchParams('from=2026-05-01&to=2026-04-01&status=active&status=canceled')
  expect(readListState(backwards, days).filters).toEqual({ status: 'active', from: '2026-05-01' })
  expect(leftOutOf(backwards, days).map(({ name, text, reason }) => `${name}=${text} ${reason}`)).toEqual([
    'status=active is given more than once',
    'to=2026-04-01 is before from=2026-05-01',
  ])
  expect(leftOutOf(new URLSearchParams('from=2026-05-01&to=2026-05-01'), days)).toEqual([])
})

test('a list without rows asks to change just what narrows it', () => {
  expect(otherwiseText(read(''))).toBeNull()
  expect(otherwiseText(read('search=acme'))).toBe('Search for something else.')
  expect(otherwiseText(read('status=active'))).toBe('Change the filters.')
  expect(otherwiseText(read(''), true)).toBe('Change the filters.')
  const both = 'Search for something else, or change the filters.'
  expect(otherwiseText(read('search=acme&status=active'))).toBe(both)
})
