import { describe, expect, it } from 'vitest'
import { ProviderError, type ProviderErrorKind } from '../../providers/provider-error.ts'
import { pauseAfter } from './scheduled-run.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const begun = new Date('2026-05-04T10:00:00Z')

function pauseAt(ageMs: number, kind: ProviderErrorKind, retryAfterMs?: number, more: object = {}) {
  const error = new ProviderError(kind, 'no', { ...(retryAfterMs !== undefined && { retryAfterMs }) })
  const now = new Date(begun.getTime() + ageMs)
  return pauseAfter({ options: { isScheduled: true, ...more }, created_at: begun }, error, now)
}

describe('the pause of a scheduled run', () => {
  it.each([
    ['a minute at first', 0, undefined, minuteMs],
    ['as long again as the run is old', 7 * minuteMs, undefined, 7 * minuteMs],
    ['an hour at most', 9 * hourMs, undefined, hourMs],
    ['as long as the provider asks', 0, 5 * hourMs, 5 * hourMs],
    ['no shorter when the provider asks for less', 7 * minuteMs, 1_000, 7 * minuteMs],
    ['never beyond a day', 23.5 * hourMs, undefined, undefined],
    ['never beyond a day, whoever asks', hourMs, 23.5 * hourMs, undefined],
  ])('is %s', (_, ageMs, retryAfterMs, expected) => {
    expect(pauseAt(ageMs, 'unavailable', retryAfterMs)).toBe(expected)
  })

  it.each([
    ['as often as one looks for changes', undefined, 5 * minuteMs],
    ['as long as the provider asks', hourMs, hourMs],
  ])('of an import of changes is at most %s', (_, retryAfterMs, expected) => {
    expect(pauseAt(9 * hourMs, 'unavailable', retryAfterMs, { mode: 'window' })).toBe(expected)
  })

  it.each<ProviderErrorKind>(['unauthorized', 'forbidden', 'rejected', 'not_found'])(
    'is none where another try meets the same: %s',
    (kind) => {
      expect(pauseAt(0, kind)).toBeUndefined()
    },
  )

  it('is none where a person waits', () => {
    expect(pauseAt(0, 'rate_limited', undefined, { isScheduled: false })).toBeUndefined()
  })
})
