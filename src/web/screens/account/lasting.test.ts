import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('what fails in Account Settings is kept on the page too, and not only in a toast', () => {
  const failing = globSync('src/web/screens/account/**/*.tsx')
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /isError: true|useMemberChange\(/.test(text))
  expect(failing.length).toBeGreaterThan(5)
  const kept = /<ProblemAlert|<FailureText|role="alert"|problem=\{/
  expect(failing.filter(({ text }) => !kept.test(text)).map(({ file }) => file)).toEqual([])
})
