import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ask } from './ask.ts'
import { contractCalls, libraryCalls } from './calls.ts'
import { fingerprintOf } from './rows.ts'
import { openStage, type SafetyStage } from './stage.ts'

// Thousands of requests in one test; their duration depends on the machine.
vi.setConfig({ testTimeout: 600_000 })

let stage: SafetyStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const changes = [...contractCalls, ...libraryCalls].filter(
  ({ method, access }) => method !== 'GET' && access !== 'operator',
)
/** Without the call that browsers do not make: it is authenticated by its signature and takes bytes. */
const ofContract = contractCalls.filter(
  ({ method, endpoint }) => method !== 'GET' && endpoint?.reads === 'json',
)

const foreign: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another scheme', { origin: 'https://localhost:3000' }],
  ['a name that begins like ours', { origin: 'http://localhost:3000.evil.example' }],
  ['another site by fetch metadata', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling by fetch metadata', { 'sec-fetch-site': 'same-site' }],
  ['a link from outside', { 'sec-fetch-site': 'none' }],
]

describe('a change', () => {
  it.each(foreign)(
    'of any kind that comes from %s is refused, and nothing is changed',
    async (_, headers) => {
      const { world, away, visitors } = stage
      const before = await fingerprintOf(world.ownerUrl, away.owner.organizationId)
      for (const call of changes) {
        const answer = await ask(visitors.outsider, call, call.inputOf(away.ids), headers)
        expect([call.name, answer.status]).toEqual([call.name, 403])
      }
      expect(await fingerprintOf(world.ownerUrl, away.owner.organizationId)).toEqual(before)
    },
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('of any kind sent as %s is refused, and nothing is changed', async (type) => {
    const { world, away, visitors } = stage
    const before = await fingerprintOf(world.ownerUrl, away.owner.organizationId)
    for (const call of ofContract) {
      const answer = await ask(visitors.outsider, call, call.inputOf(away.ids), { 'content-type': type })
      expect([call.name, answer.status]).toEqual([call.name, 415])
    }
    expect(await fingerprintOf(world.ownerUrl, away.owner.organizationId)).toEqual(before)
  })

  it('of any kind that is larger than any body of ours is refused', async () => {
    for (const call of changes) {
      const body = 'x'.repeat(call.endpoint?.reads === 'bytes' ? 1_000_001 : 100_001)
      const input = { ...call.inputOf(stage.away.ids), body }
      const answer = await ask(stage.visitors.outsider, call, input, { 'stripe-signature': 't=1,v1=nobodys' })
      expect([call.name, answer.status]).toEqual([call.name, 413])
    }
  })
})

describe('what providers tell', () => {
  it('reaches a page as text alone: nothing in the web app writes markup', () => {
    const writes =
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
    const sources = globSync('src/web/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.filter((file) => writes.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
