import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useTableOnPhone } from './preferences.ts'

test('a list that shows its table on a phone leaves the others with their cards', () => {
  const { result } = renderHook(() => ({
    subscriptions: useTableOnPhone('Subscriptions'),
    review: useTableOnPhone('Match Review'),
  }))
  act(() => result.current.subscriptions[1](true))
  expect([result.current.subscriptions[0], result.current.review[0]]).toEqual([true, false])
})
