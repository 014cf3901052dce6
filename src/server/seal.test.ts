import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSeal, parseSealKeys } from './seal.ts'

const place = { organizationId: 7, provider: 'payments', field: 'apiKey' }
const first = randomBytes(32)
const second = randomBytes(32)

describe('seal', () => {
  const seal = createSeal(new Map([[1, first]]))

  it('opens what it sealed, and never twice alike', () => {
    const one = seal.seal(place, 'sk_test_secret')
    expect(seal.open(place, one)).toBe('sk_test_secret')
    expect(seal.seal(place, 'sk_test_secret')).not.toBe(one)
    expect(one).not.toContain('secret')
  })

  it.each([
    { ...place, organizationId: 8 },
    { ...place, provider: 'crm' },
    { ...place, field: 'refreshToken' },
  ])('refuses a sealed text that was moved to %j', (other) => {
    expect(() => seal.open(other, seal.seal(place, 'x'))).toThrow()
  })

  it('refuses a changed byte and a cut text', () => {
    const sealed = seal.seal(place, 'sk_test_secret')
    const flipped = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
    expect(() => seal.open(place, flipped)).toThrow()
    expect(() => seal.open(place, sealed.slice(0, -30))).toThrow()
  })

  it('opens texts of an older ring key after a rotation, and says which key is missing', () => {
    const old = seal.seal(place, 'kept')
    const ring = createSeal(
      new Map([
        [1, first],
        [2, second],
      ]),
    )
    expect(ring.open(place, old)).toBe('kept')
    const fresh = ring.seal(place, 'new')
    expect(() => seal.open(place, fresh)).toThrow('no key of version 2')
  })

  it('derives the same key while newer versions are brought in, and another once the oldest is taken out', () => {
    const both = new Map([
      [1, first],
      [2, second],
    ])
    const derived = seal.derive('cookies')
    expect(createSeal(both).derive('cookies')).toBe(derived)
    expect(createSeal(new Map([[2, second]])).derive('cookies')).not.toBe(derived)
  })

  it('seals under an older version while it is told to', () => {
    const both = new Map([
      [1, first],
      [2, second],
    ])
    expect(createSeal(both).versionOf(createSeal(both).seal(place, 'x'))).toBe(2)
    expect(seal.open(place, createSeal(both, 1).seal(place, 'x'))).toBe('x')
  })

  it('reads a ring and refuses a bad one without repeating it', () => {
    const text = `1:${first.toString('base64')},2:${second.toString('base64')}`
    expect([...parseSealKeys(text).keys()]).toEqual([1, 2])
    expect(() => parseSealKeys('1:c2hvcnQ=')).toThrow(/32 bytes/)
    expect(() => parseSealKeys('1:c2hvcnQ=')).not.toThrow(/c2hvcnQ/)
  })
})
