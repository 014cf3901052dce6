/** After every test file: fails it if anything in it tried to write to the payment provider. */
import { afterAll, expect } from 'vitest'
import { takeAttemptedWrites } from '#simulators/stripe/requests/attempted-writes.ts'

afterAll(() => {
  expect(takeAttemptedWrites(), 'writes to the payment provider').toEqual([])
})
