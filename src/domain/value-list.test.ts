import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinValues, splitValues } from './value-list.ts'

test('any values come back, also with commas, backslashes and without a value', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.string({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom('\\', ',', '-', 'a'), minLength: 1 }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(value), (values) => {
      expect(splitValues(joinValues(values))).toEqual(values)
    }),
  )
})

test('what a person may type is read without surprise', () => {
  expect(splitValues('Team,Pro,,Team')).toEqual(['Team', 'Pro'])
  expect(splitValues('')).toEqual([])
  expect(splitValues('\\-,-')).toEqual([null, '-'])
  expect(splitValues('half\\')).toEqual(['half\\'])
})
