import { expect, test } from 'vitest'
import { linkProblem, signInProblem } from './sign-in-problem.ts'

test.each([
  [null, null],
  ['', null],
  ['access_denied', 'The sign-in was cancelled.'],
  ['constructor', 'The sign-in did not succeed. Please sign in again.'],
  ['<script>', 'The sign-in did not succeed. Please sign in again.'],
])('%s reads %s', (code, text) => expect(signInProblem(code)).toBe(text))

test.each([
  ['INVALID_TOKEN', true],
  ['TOKEN_EXPIRED', true],
  ['access_denied', false],
  [null, false],
])('%s is told of on the login screen: %s', (code, isTold) => expect(linkProblem(code) !== null).toBe(isTold))
