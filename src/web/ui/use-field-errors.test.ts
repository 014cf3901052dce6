import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const screens = globSync('src/web/**/*.tsx').filter((file) => !file.endsWith('.test.tsx'))

test('no form leaves its problems to the bubbles of the browser', () => {
  const forms = screens.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<form\b[^>]*/g)].map(([form]) => ({ file, form })),
  )
  expect(forms.length).toBeGreaterThan(10)
  expect(forms.filter(({ form }) => !/noValidate|\{\.\.\.form\}/.test(form))).toEqual([])
})

test('no field of a password hides from a screen reader that it is wrong', () => {
  const bare = screens.filter((file) => /<PasswordInput\b/.test(readFileSync(file, 'utf8')))
  expect(bare).toEqual(['src/web/ui/password-field.tsx'])
})
