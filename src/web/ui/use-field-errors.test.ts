import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no form leaves its problems to the bubbles of the browser', () => {
  const forms = globSync('src/web/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<form\b[^>]*/g)].map(([form]) => ({ file, form })),
  )
  expect(forms.length).toBeGreaterThan(10)
  expect(forms.filter(({ form }) => !/noValidate|\{\.\.\.form\}/.test(form))).toEqual([])
})
