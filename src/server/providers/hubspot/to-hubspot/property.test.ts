import { expect, it } from 'vitest'
import { spelledValue } from './property.ts'

const name = { name: 'customer_name', label: 'Customer name', description: '', type: 'string' } as const

it.each([
  { is: 'a text that fits', given: 'Åsa 🚀', stands: 'Åsa 🚀' },
  { is: 'a text that is too long', given: 'a'.repeat(1_001), stands: 'a'.repeat(1_000) },
  { is: 'a character that is half too long', given: `${'a'.repeat(999)}🚀`, stands: 'a'.repeat(999) },
  { is: 'a half of a character', given: 'a\ud83d', stands: 'a\ufffd' },
  { is: 'the sign NUL', given: 'a\u0000b', stands: 'ab' },
])('spells $is', ({ given, stands }) => {
  expect(spelledValue(name, given)).toBe(stands)
})
