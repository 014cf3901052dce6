import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getPushStatus } from '#contract/sync.ts'
import { createQueryClient } from '../query-client.ts'
import { pollMs, useFollowedRun } from './follow-run.ts'

let asked: string[]
let status: string
let ended: string[]
let client: ReturnType<typeof createQueryClient>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  asked = []
  ended = []
  status = 'in_progress'
  vi.stubGlobal('fetch', async (input: string) => {
    const { pathname } = new URL(String(input), 'http://here.example')
    asked.push(pathname)
    return Response.json(job(pathname.split('/').at(-1) ?? ''))
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function job(id: string) {
  return {
    id,
    type: 'sync',
    status,
    phase: null,
    totalRecords: 2,
    processedRecords: 1,
    successfulRecords: 1,
    failedRecords: 0,
    message: '',
    error: null,
    createdAt: '2026-08-01T00:00:00.000Z',
    processedAt: null,
    errorCount: 0,
    errorDetails: [],
    logs: [],
    failure: null,
    linked: { subscriptions: 0, events: 0, isCut: false },
    startedBy: null,
    changes: null,
    follows: null,
    followedBy: null,
  }
}

const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Follows a push that a status names, as the screens do. */
function follow(foundId: string | null, keepsEnded = false) {
  client = createQueryClient()
  return renderHook(
    (props: { foundId: string | null }) =>
      useFollowedRun(getPushStatus, props.foundId, {
        inputOf: (importId) => ({ params: { importId } }),
        everyMs: pollMs.syncJob,
        hasEnded: (answer) => answer.status !== 'in_progress',
        onEnd: (_, id) => ended.push(id),
        onCancelFailed: () => expect.unreachable(),
        keepsEnded,
      }),
    {
      initialProps: { foundId },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  )
}

test('a run that a status names is followed to its end, told of once, and not found again by the old status', async () => {
  const { result } = follow('7')
  await passes(0)
  expect(result.current).toMatchObject({ id: '7', isRunning: true, answer: { id: '7' } })
  status = 'completed'
  await passes(pollMs.syncJob + 50)
  expect(ended).toEqual(['7'])
  expect(result.current).toMatchObject({ id: '7', isRunning: false })
  const answers = asked.length
  await passes(4_900)
  expect(result.current.id).toBe('7')
  await passes(200)
  expect(result.current).toMatchObject({ id: null, isRunning: false, answer: null })
  await passes(10_000)
  expect(asked).toHaveLength(answers)
  expect(ended).toEqual(['7'])
})

test('a run stays followed where the status no longer names it, so that its end is told', async () => {
  const { rerender } = follow('7')
  await passes(0)
  status = 'failed'
  rerender({ foundId: null })
  await passes(pollMs.syncJob + 50)
  expect(ended).toEqual(['7'])
})

test('an ended run that is kept stays until it is forgotten, and no later answer tells its end again', async () => {
  status = 'completed'
  const { result } = follow('7', true)
  await passes(60_000)
  expect(result.current).toMatchObject({ id: '7', isRunning: false, answer: { status: 'completed' } })
  status = 'failed'
  await act(() => client.invalidateQueries())
  await passes(0)
  expect(result.current.answer?.status).toBe('failed')
  expect(ended).toEqual(['7'])
  act(() => result.current.forget())
  expect(result.current.id).toBeNull()
})

test('a start is followed by its id, and a failed one is told and follows nothing', async () => {
  const { result } = follow(null)
  const failures: unknown[] = []
  const told = (error: unknown) => failures.push(error)
  await act(() => result.current.start(() => Promise.reject(new Error('refused')), told))
  expect(failures).toEqual([new Error('refused')])
  expect(result.current).toMatchObject({ id: null, isStarting: false })
  await act(() => result.current.start(async () => '8', told))
  await passes(0)
  expect(result.current).toMatchObject({ id: '8', isRunning: true, isStarting: false })
  expect(asked.every((path) => path.endsWith('/8'))).toBe(true)
  expect(failures).toHaveLength(1)
})
