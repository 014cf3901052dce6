import { expect, test } from 'vitest'
import { keyProblem, maskedKey } from './stripe-key.ts'

test.each(['sk_test_1', ' sk_live_1 ', 'rk_live_1'])('%s may be a key', (key) =>
  expect(keyProblem(key)).toBeNull(),
)

test('a key must start with sk_', () => {
  expect(keyProblem('x sk_test_1')).toEqual({
    title: 'Invalid API Key',
    description: 'API key must start with sk_.',
  })
})

test.each([
  ['pk_test_1', 'publishable key'],
  ['whsec_1', 'signing secret of a webhook'],
])('%s is told as what it is', (key, text) => {
  expect(keyProblem(key)?.description).toMatch(new RegExp(`^API key must start with sk_\\. .*${text}`))
})

test.each([
  ['sk_test_51', 'sk_test_51••••••••'],
  ['rk_live_51', 'rk_live_51••••••••'],
  ['51Ab', 'sk_51Ab••••••••'],
])('%s is shown as %s', (firstChars, text) => expect(maskedKey(firstChars)).toBe(text))
