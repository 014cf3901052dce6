import { expect, test } from 'vitest'
import type { HistoryLine } from './run-words.tsx'
import { syncHistoryCard } from './sync-history-columns.tsx'

const none = { subscriptions: 0, events: 0, links: 0, companies: 0, contacts: 0 }

const run: HistoryLine = {
  id: 'run_1',
  type: 'sync',
  status: 'completed',
  createdAt: '2026-11-01T08:00:00Z',
  completedAt: '2026-11-01T08:00:04Z',
  processedRecords: 0,
  errorCount: 0,
  changes: none,
  startedBy: null,
  follows: null,
  followedBy: null,
  reason: null,
}

test('the card of a run that changed links alone does not say that it has no records', () => {
  const dateOf = (line: HistoryLine) => syncHistoryCard('')(line).date
  expect(dateOf(run)).toBe('0 records, 0 errors')
  expect(dateOf({ ...run, changes: { ...none, links: 54 } })).toBeNull()
  expect(dateOf({ ...run, processedRecords: 3, changes: { ...none, subscriptions: 3, links: 5 } })).toBe(
    '3 records, 0 errors',
  )
})

test('the card of a run that failed as a whole does not say that it has no errors', () => {
  const failed: HistoryLine = { ...run, status: 'failed', processedRecords: 3, reason: 'HubSpot is away.' }
  expect(syncHistoryCard('')(failed).date).toBe('3 records')
  expect(syncHistoryCard('')({ ...failed, errorCount: 1 }).date).toBe('3 records, 1 error')
})
