import { expect, it } from 'vitest'
import { createStandingCalls } from './standing-records.ts'

const access = { portalId: '1', token: async () => '' }

/** Our record, as HubSpot answers it. */
async function standing(properties: object, more: object = {}) {
  const record = { id: '7', properties, ...more }
  const calls = createStandingCalls(async (_access, { answer }) =>
    answer.parse({ total: 1, results: [record] }),
  )
  return (await calls.findNewestRecords(access, 'subscription', '2-1', [])).rows[0]
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
  const { updatedAt, ...properties }: { updatedAt?: string; hs_lastmodifieddate?: string } = answered
  const record = await standing(properties, { ...(updatedAt !== undefined && { updatedAt }) })
  expect(record?.updatedAt).toBe(at)
})

it.each(['12;13', '12; 13', '12;;13;x'])('reads the ids of merged records from %j', async (text) => {
  expect((await standing({ hs_merged_object_ids: text }))?.mergedIds).toEqual(['12', '13'])
})
