import { expect, it } from 'vitest'
import { createStandingCalls } from './standing-records.ts'

const access = { portalId: '1', token: async () => '' }

/** When our record changed last, as HubSpot answers it. */
async function changedAt(answered: { updatedAt?: string; hs_lastmodifieddate?: string }) {
  const { updatedAt, ...properties } = answered
  const record = { id: '7', properties, ...(updatedAt !== undefined && { updatedAt }) }
  const calls = createStandingCalls(async (_access, { answer }) =>
    answer.parse({ total: 1, results: [record] }),
  )
  return (await calls.findNewestRecords(access, 'subscription', '2-1', [])).rows[0]?.updatedAt
}

const day = '2026-11-02T00:00:00.000Z'

it.each([
  [{ hs_lastmodifieddate: day }, day],
  [{ hs_lastmodifieddate: '1793577600000' }, day],
  [{ hs_lastmodifieddate: '2026-11-02T01:00:00+01:00' }, day],
  [{ updatedAt: '1793577600000' }, day],
  [{ hs_lastmodifieddate: 'a while ago', updatedAt: day }, day],
  [{ hs_lastmodifieddate: '', updatedAt: 'a while ago' }, null],
  [{}, null],
])('reads when a record changed from either form of an instant, and no other: %j', async (answered, at) => {
  expect(await changedAt(answered)).toBe(at)
})
