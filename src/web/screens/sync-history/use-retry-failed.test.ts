import { expect, test } from 'vitest'
import { resultOf } from './use-retry-failed.ts'

type Job = Parameters<typeof resultOf>[0]

const ended = {
  status: 'completed',
  message: '',
  error: null,
  successfulRecords: 3,
  failedRecords: 0,
  errorDetails: [],
} as Partial<Job> as Job
const error = { sourceId: null, errorMessage: 'No.', createdAt: '2026-11-01T08:00:00Z' }

test('says what its run says, and whether HubSpot refused something again', () => {
  const message = 'Synced 3 records to HubSpot.'
  expect(resultOf({ ...ended, message })).toEqual({ title: 'Retry complete', description: message })
  expect(resultOf({ ...ended, message, failedRecords: 2, errorDetails: [error, error] })).toEqual({
    title: 'HubSpot refused 2 records again',
    description: message,
    isError: true,
  })
})

test('is no success while a link or a contact is refused, whether records were written or not', () => {
  for (const successfulRecords of [0, 3])
    expect(resultOf({ ...ended, successfulRecords, errorDetails: [error] })).toMatchObject({
      title: 'Retry complete, with problems',
      isError: true,
    })
})

test('says why a retry ended early', () => {
  expect(resultOf({ ...ended, status: 'failed', error: 'HubSpot is full.' })).toEqual({
    title: 'Retry failed',
    description: 'HubSpot is full.',
    isError: true,
  })
  expect(resultOf({ ...ended, status: 'cancelled', message: 'Canceled by Pat.' })).toEqual({
    title: 'Retry Canceled',
    description: 'Canceled by Pat.',
  })
})
