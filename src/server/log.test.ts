import { expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(error: unknown): unknown {
  let line = ''
  const write = (text: string) => {
    line = text
  }
  createLog({ level: 'error', name: 'test' }, { write }).error({ error }, 'failed')
  return JSON.parse(line).error
}

it('says what an error is, also one of the queue, which is a plain object, and not the row that failed', () => {
  const error = Object.assign(new RangeError('too long'), { code: '22001', detail: 'ann@acme.example' })
  const parts = { message: 'too long', stack: error.stack, code: '22001' }
  expect(logged(error)).toEqual({ type: 'RangeError', ...parts })
  expect(logged({ ...error, message: error.message, stack: error.stack, queue: 'import' })).toEqual(parts)
  for (const thrown of ['ann@acme.example', null, {}])
    expect(logged(thrown)).toEqual({ message: 'not an error' })
})
