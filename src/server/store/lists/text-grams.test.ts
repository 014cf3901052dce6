import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsAskedBy, gramsOf } from './text-grams.ts'

const has = (grams: Uint8Array, bit: number) => (((grams[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
const mayContain = (text: string, searched: string) => {
  const grams = gramsOf(text)
  return bitsAskedBy(searched).every((bit) => has(grams, bit))
}

const written = fc.string({ unit: fc.constantFrom(...'abcIiKé\u212a\u0130 .@-\n\x1e09ß😀'), maxLength: 40 })

it('whatever contains a text is chosen, however the text is written', () => {
  fc.assert(
    fc.property(written, written, written, fc.boolean(), (before, searched, after, isShouted) => {
      const text = `${before}${searched}${after}`.toLowerCase()
      expect(
        mayContain(text, isShouted ? searched.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : searched),
      ).toBe(true)
    }),
  )
})

it('a capital I is not taken for an i, which it is not in Turkish', () => {
  expect(mayContain('\u0131stanbul', 'Istanbul')).toBe(true)
  expect(mayContain('istanbul', 'Istanbul')).toBe(true)
})

it('what lacks a run of three letters is passed by', () => {
  const text = Array.from({ length: 25 }, (_, n) => `customer ${n}\nbilling@firm${n}.example`).join('\x1e')
  expect(mayContain(text, 'FIRM7.ex')).toBe(true)
  expect(mayContain(text, 'harbour')).toBe(false)
  const others = Array.from({ length: 500 }, (_, n) => `word${n}${(n * 7919) % 1_000}x`)
  expect(others.filter((other) => mayContain(text, other)).length).toBeLessThan(25)
})

it.each(['', 'é', 'ab', 'äöü', 'III'])('of %j nothing can be said', (searched) => {
  expect(bitsAskedBy(searched)).toEqual([])
})
