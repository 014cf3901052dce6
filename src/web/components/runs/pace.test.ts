import { expect, test } from 'vitest'
import { paceOf, paceText } from './pace.ts'

const samples = (...pairs: [seconds: number, processed: number][]) =>
  pairs.map(([seconds, processed]) => ({ atMs: seconds * 1_000, processed }))

test('measures the rate over what was seen, and how long the rest takes at that rate', () => {
  expect(paceOf(samples([0, 100], [2, 200], [10, 600]), 1_000)).toEqual({ perSecond: 50, secondsLeft: 20 })
})

test('says nothing before enough was seen', () => {
  expect(paceOf(samples([0, 0], [2, 500]), 500)).toBeNull()
  expect(paceText(null)).toBe('Estimating time left…')
})

test('promises no end while the total is unknown or nothing moves', () => {
  expect(paceText(paceOf(samples([0, 0], [10, 500]), null))).toBe('50 per second, time left not known yet.')
  expect(paceText(paceOf(samples([0, 500], [10, 500]), 500))).toBe('Estimating time left…')
})

test.each([
  [5, 'a few seconds left'],
  [32, 'about 40 seconds left'],
  [58, 'about a minute left'],
  [400, 'about 7 minutes left'],
  [3_700, 'about an hour left'],
  [9_000, 'about 3 hours left'],
])('rounds %i seconds', (secondsLeft, text) => {
  expect(paceText({ perSecond: 0.5, secondsLeft })).toBe(`less than 1 per second, ${text}.`)
})
