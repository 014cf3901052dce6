import { expect, it } from 'vitest'
import type { DatabaseFacts } from '#server/store/installation/inspect-database.ts'
import { judgeDatabase } from './judge-database.ts'
import { lookAtVersions } from './look-at-versions.ts'

const good: DatabaseFacts = {
  ...{ version: '18.0', versionNumber: 180_000, maxConnections: 100, mayCreateRoles: true },
  ...{ role: { name: 'tributary_app', powers: [] }, pending: [], unknown: [] },
}
const faults = (facts: Partial<DatabaseFacts>) =>
  judgeDatabase({ ...good, ...facts })
    .filter(({ state }) => state !== 'ok')
    .map(({ state, text }) => `${state}: ${text}`)

it('finds nothing wrong with PostgreSQL 18', () => {
  expect(faults({})).toEqual([])
})

it.each<[Partial<DatabaseFacts>, string]>([
  [
    { version: '14.6', versionNumber: 140_006 },
    'wrong: PostgreSQL 14.6 is too old: Tributary needs PostgreSQL 15 or newer',
  ],
  [
    { role: { name: 'app', powers: ['superuser', 'bypassrls'] } },
    'wrong: the role app must have no power, but is superuser, bypassrls: take that from it, then run `tributary migrate`',
  ],
  [
    { mayCreateRoles: false },
    'wrong: the owner of DATABASE_URL may not create roles, so `tributary migrate` fails: give it CREATEROLE',
  ],
  [
    { maxConnections: 20 },
    'warning: it allows 20 connections, and a server and a worker may open 45: raise max_connections of PostgreSQL',
  ],
])('names what is wrong: %j', (facts, told) => {
  expect(faults(facts)).toEqual([told])
})

it('warns of a Node that nobody tested', () => {
  expect(lookAtVersions('22.18.0').map(({ state }) => state)).toEqual(['ok', 'warning'])
  expect(lookAtVersions('24.0.0').map(({ state }) => state)).toEqual(['ok', 'ok'])
})
