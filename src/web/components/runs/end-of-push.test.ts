import { expect, test } from 'vitest'
import { endOfPush } from './end-of-push.ts'

const job = { message: 'Synced 3 records to HubSpot.', error: null }
test.each([
  [
    { ...job, status: 'completed' },
    { title: 'Sync Complete', description: job.message },
  ],
  [
    { ...job, status: 'cancelled', message: 'Somebody canceled it.' },
    { title: 'Sync Canceled', description: 'Somebody canceled it.' },
  ],
  [
    { ...job, status: 'failed', error: 'HubSpot is away.' },
    { title: 'Sync failed', description: 'HubSpot is away.', isError: true },
  ],
  [
    { status: 'failed', message: '', error: null },
    { title: 'Sync failed', description: 'An error occurred during the sync process.', isError: true },
  ],
] as const)('a sync that is %j says so', (ended, told) => {
  expect(endOfPush(ended)).toEqual(told)
})
