import { expect, test } from 'vitest'
import type { HistoryLine } from './run-words.tsx'
import { syncHistoryCard } from './sync-history-columns.tsx'

const run: HistoryLine = {
  id: 'run_1',
  type: 'sync',
  status: 'completed',
  createdAt: '2026-11-01T08:00:00Z',
  completedAt: '2026-11-01T08:00:04Z',
  processedRecords: 0,
  errorCount: 0,
  changes: { subscriptions: 0, events: 0, links: 0 },
  startedBy: null,
  follows: null,
  followedBy: null,
  reason: null,
}

test('the card of a run that changed links alone does not say that it has no records', () => {
  const dateOf = (line: HistoryLine) => syncHistoryCard('')(line).date
  expect(dateOf(run)).toBe('0 records, 0 errors')
  expect(dateOf({ ...run, changes: { subscriptions: 0, events: 0, links: 54 } })).toBeNull()
  expect(dateOf({ ...run, processedRecords: 3, changes: { subscriptions: 3, events: 0, links: 5 } })).toBe(
    '3 records, 0 errors',
  )
})
