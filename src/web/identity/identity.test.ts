// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { codeFailureText, ownCodeFailureText } from './code-failure.ts'
import { dataOf, identity } from './identity.ts'

afterEach(() => vi.unstubAllGlobals())

it('answers with an error that people can read when the network fails, and does not throw', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const text = 'The server could not be reached. Please try again.'
  for (const answer of [
    await identity.$fetch('/two-factor/verify-totp', { method: 'POST', body: { code: '000000' } }),
    await identity.$fetch('/two-factor/disable', { method: 'POST', body: {} }),
    await identity.signIn.email({ email: 'ann@example.com', password: 'a-long-enough-passphrase' }),
  ])
    expect(answer.error?.message).toBe(text)
  await expect(dataOf(identity.signOut(), 'Please try again.')).rejects.toThrow(text)
})

it('calls a code wrong only when it is', () => {
  const ended = { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'Invalid two factor cookie' }
  expect(ownCodeFailureText(ended)).toBe('Your session has ended. Sign in again.')
  expect(codeFailureText(ended)).toMatch(/^The sign-in took too long/)
  expect(ownCodeFailureText({ code: 'INVALID_CODE' })).toMatch(/^This code is incorrect/)
  expect(ownCodeFailureText({ code: 'CODE_USED', message: 'This code was tried already.' })).toBe(
    'This code was tried already.',
  )
  expect(ownCodeFailureText({})).toBe('The code could not be checked. Please try again.')
})
