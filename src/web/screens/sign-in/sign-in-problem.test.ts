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
])('%s reads %s', (code, text) => expect(signInProblem(code)).toEqual(text))
