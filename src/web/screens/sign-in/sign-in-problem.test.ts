import { expect, test } from 'vitest'
import { signInProblem } from './sign-in-problem.ts'

test.each([
  [null, null],
  ['', null],
  ['access_denied', 'The sign-in was canceled.'],
  ['INVALID_TOKEN', expect.stringContaining('This link is no longer valid.')],
  ['TOKEN_EXPIRED', expect.stringContaining('This link has expired.')],
  ['constructor', 'The sign-in did not succeed. Please sign in again.'],
  ['<script>', 'The sign-in did not succeed. Please sign in again.'],
])('%s reads %s', (code, text) => expect(signInProblem(code, '/setup')).toEqual(text))

test.each(['INVALID_TOKEN', 'TOKEN_EXPIRED'])('%s offers no sign-up to who is signed in', (code) => {
  expect(signInProblem(code, '/setup', true)).toMatch(/You are signed in all the same\.$/)
})

test.each(['INVALID_TOKEN', 'TOKEN_EXPIRED'])(
  '%s of a link for a new password offers another one',
  (code) => {
    expect(signInProblem(code, '/sign-in')).toContain('Forgot your password?')
    expect(signInProblem(code, '/sign-in')).not.toContain('sign up')
  },
)
