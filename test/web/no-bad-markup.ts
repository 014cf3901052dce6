import { format } from 'node:util'
import { afterAll, afterEach, expect } from 'vitest'

/** React's reports of markup that a browser would repair, and of lists whose rows it cannot tell apart. */
const reported =
  /cannot be a descendant of|cannot contain a nested|unique "key" prop|two children with the same key/
let faults: string[] = []

const { error: report } = console
console.error = (...told: unknown[]) => {
  const text = format(...told)
  if (reported.test(text)) faults.push(text)
  report(...told)
}
// The next file of this process listens for itself.
afterAll(() => {
  console.error = report
})

afterEach(() => {
  const found = faults
  faults = []
  expect(found, 'React reports no fault of the markup').toEqual([])
})
