import { expect, it } from 'vitest'
import { plainName, sentence } from './plain-name.ts'

it.each([
  ['signs that turn the text', '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069', ''],
  ['marks of a direction', '\u200e\u200f\u061c', ''],
  ['spaces and joiners of no width', '\u00ad\u200b\u2060\ufeff', ''],
  ['Hangul fillers', '\u3164\u115f\u1160', ''],
  ['a vowel separator', '\u180e', ''],
  ['signs of mathematics', '\u2061\u2062\u2063\u2064', ''],
  ['tags', '\u{e0000}\u{e0041}\u{e007f}', ''],
  ['joiners and the sign of emoji', '\u200c\u200d\ufe0f', '\u200c\u200d\ufe0f'],
])('a name with %s is kept as it looks', (_, signs, kept) => {
  expect(plainName(`Ro${signs}bin`)).toBe(`Ro${kept}bin`)
})

it('a name that ends in a full stop ends its sentence', () => {
  expect(sentence('Attached to Gamma Inc.')).toBe('Attached to Gamma Inc.')
  expect(sentence('Attached to Gamma')).toBe('Attached to Gamma.')
})
