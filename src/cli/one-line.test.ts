import { expect, it } from 'vitest'
import { oneLine } from './one-line.ts'

it.each([
  ['42501', 'permission denied for schema public', 'DATABASE_URL must name the owner of its database'],
  ['42P01', 'relation "migrations" does not exist', 'else run tributary migrate'],
  ['23505', 'duplicate key', 'duplicate key'],
])('says after the words of PostgreSQL (%s) what to do', (code, message, told) => {
  const line = oneLine(Object.assign(new Error(message), { code }))
  expect(line).toMatch(new RegExp(`^${message}`))
  expect(line.endsWith(told)).toBe(true)
})
