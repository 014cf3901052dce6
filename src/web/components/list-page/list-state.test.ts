import { expect, test } from 'vitest'
import { changeListState, type ListSpec, readListState, writeListState } from './list-state.ts'

const spec: ListSpec = {
  filter: { name: 'status', values: ['active', 'canceled'] },
  sorts: ['updatedAt', 'companyName'],
}
const read = (address: string) => readListState(new URLSearchParams(address), spec)
const initial = { page: 1, perPage: 10, search: '', filter: '', sort: 'updatedAt', order: 'desc' }

test('an empty address is the default list', () => expect(read('')).toEqual(initial))

test('an address holds the whole state', () => {
  const address = 'search=acme&status=active&sort=companyName&order=asc&perPage=25&page=3'
  const state = read(address)
  expect(state).toEqual({
    page: 3,
    perPage: 25,
    search: 'acme',
    filter: 'active',
    sort: 'companyName',
    order: 'asc',
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
  expect(changeListState(state, { search: 'acme' })).toMatchObject({ page: 1, filter: 'active' })
  expect(changeListState(state, { page: 8 })).toMatchObject({ page: 8, filter: 'active' })
})
