import { expect, it } from 'vitest'
import { tellQueueErrors } from './queue-errors.ts'

it('tells an outage of the database once a minute, and every other error', () => {
  const lines: unknown[] = []
  let at = 0
  const log = { error: (line: unknown) => lines.push(line) } as never
  const tell = tellQueueErrors({ log, now: () => new Date(at) })
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const other = new Error('no such queue')
  for (; at < 90_000; at += 10_000) tell(away)
  expect(lines).toEqual([{ error: away }, { error: away, leftOut: 5 }])
  tell(other)
  tell(other)
  expect(lines.slice(2)).toEqual([{ error: other, leftOut: 2 }, { error: other }])
})
