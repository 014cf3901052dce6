import { format } from 'node:util'
import { afterEach, expect } from 'vitest'

/** React's reports of markup that a browser would repair, and of lists whose rows it cannot tell apart. */
const reported =
  /cannot be a descendant of|cannot contain a nested|unique "key" prop|two children with the same key/
let faults: string[] = []

const { error: report } = console
Object.assign(console, {
  error: (...told: unknown[]) => {
    const text = format(...told)
    if (reported.test(text)) faults.push(text)
    report(...told)
  },
})

afterEach(() => {
  const found = faults
  faults = []
  expect(found, 'React reports no fault of the markup').toEqual([])
})
