import { expect, test } from 'vitest'
import { smallWorld } from '../testing/small-world.ts'
import { readWorld } from './world.ts'

const plain = (): Record<string, unknown> => JSON.parse(JSON.stringify(smallWorld()))

test('a world survives being written and read', () => {
  expect(readWorld(plain())).toEqual(JSON.parse(JSON.stringify(smallWorld())))
})

test.each([
  ['as_of', { as_of: 'soon' }, 'as_of must be an ISO instant'],
  ['list', { invoices: undefined }, 'invoices must be a list'],
  ['id', { coupons: [{ object: 'coupon', created: 1 }] }, 'coupons[0].id must be a non-empty string'],
  ['object', { coupons: [{ id: 'a', object: 'price', created: 1 }] }, "coupons[0].object must be 'coupon'"],
  ['created', { coupons: [{ id: 'a', object: 'coupon', created: 1.5 }] }, 'coupons[0].created must be'],
  [
    'repeat',
    {
      coupons: [
        { id: 'a', object: 'coupon', created: 1 },
        { id: 'a', object: 'coupon', created: 1 },
      ],
    },
    'coupons[1].id repeats a',
  ],
  [
    'lines',
    { invoices: [{ id: 'a', object: 'invoice', created: 1 }] },
    'invoices[0].lines must be a list object',
  ],
  [
    'cut list',
    { invoices: [{ id: 'a', object: 'invoice', created: 1, lines: { data: [], has_more: true } }] },
    'invoices[0].lines.has_more must be false',
  ],
  ['key', { keys: [7] }, 'keys must be a list of strings'],
])('a bad world names the field: %s', (_name, change, message) => {
  expect(() => readWorld({ ...plain(), ...change })).toThrow(message)
})
