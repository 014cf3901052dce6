/** After every test file: fails it if a secret was found in an answer or in the log. */
import { afterAll, expect } from 'vitest'
import { takeLeaks } from './leaks.ts'

afterAll(() => {
  expect(takeLeaks(), 'secrets outside their place').toEqual([])
})
