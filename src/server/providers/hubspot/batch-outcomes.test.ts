import { expect, it } from 'vitest'
import { outcomesOf } from './batch-outcomes.ts'

it.each([
  { isUpsert: false, a: { key: 'a', state: 'written', recordId: '77' } },
  { isUpsert: true, a: { key: 'a', state: 'refused', message: 'Value is taken. Existing ID: 77' } },
])('an existing record is what a creation wanted, but lacks the values of an upsert: $isUpsert', (call) => {
  const answer = {
    results: [{ id: '2', objectWriteTraceId: '1', updatedAt: '2026-11-01T00:00:00Z' }],
    errors: [
      {
        ...{ category: 'CONFLICT', message: 'Value is taken. Existing ID: 77' },
        context: { objectWriteTraceId: ['0'] },
      },
    ],
  }
  const inputs = ['a', 'b'].map((key, place) => ({ key, traceId: `${place}` }))
  const outcomes = outcomesOf(inputs, answer, { keyProperty: 'id', isUpsert: call.isUpsert })
  expect(outcomes.get('a')).toEqual(call.a)
  expect(outcomes.get('b')).toMatchObject({ state: 'written', recordId: '2' })
})
