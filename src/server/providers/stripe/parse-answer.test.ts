import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from './parse-answer.ts'

/** A text that looks like the border between two objects; a customer's name may contain it. */
const sneaky = fc.constantFrom(
  '},{"id":"in_',
  '"},{"id":"in_1"',
  '},\n    {\n      "id": "in_',
  '\\"},{',
  ']}',
  'é€😀\u2028',
)
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), sneaky)
const inner = fc.record({ id: text.map((rest) => `il_${rest}`), amount: fc.integer(), note: text })
const object = fc.record({
  id: text.map((rest) => `in_${rest}`),
  name: text,
  lines: fc.record({ object: fc.constant('list'), data: fc.array(inner, { maxLength: 12 }) }),
  // Long enough for a list of several parts.
  memo: text.map((one) => one.padEnd(3_000, '},{"id":"in_')),
  latest: fc.option(fc.record({ id: fc.constant('in_0') })),
})
const list = fc
  .record({ data: fc.array(object, { maxLength: 40 }), has_more: fc.boolean(), isLast: fc.boolean() })
  .map(({ data, has_more, isLast }) => {
    const rest = { has_more, url: '/v1/invoices' }
    return isLast ? { object: 'list', ...rest, data } : { object: 'list', data, ...rest }
  })
const indents = fc.constantFrom(undefined, 2, '\t')

const many = Array.from({ length: 20 }, (_, index) => ({ id: `in_${index}`, memo: 'm'.repeat(3_000) }))

describe('an answer', () => {
  it('says what JSON.parse says, in whatever form and whatever its texts hold', () => {
    fc.assert(
      fc.property(list, indents, (value, indent) => {
        const body = JSON.stringify(value, null, indent)
        expect(parseAnswer(Buffer.from(body))).toEqual(JSON.parse(body))
      }),
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('whose objects begin with another field than their id is read alike', () => {
    const data = Array.from({ length: 99 }, (_, index) => ({
      account: 'é'.repeat(400),
      id: `in_${index}`,
      lines: [{ account: 1 }, { account: 2 }],
    }))
    const body = JSON.stringify({ object: 'list', data, has_more: true })
    expect(parseAnswer(Buffer.from(body))).toEqual(JSON.parse(body))
  })

  it('that is broken anywhere is refused as JSON.parse refuses it', () => {
    const wrong = fc.constantFrom('', '}', ',', '"', '\0', ']')
    fc.assert(
      fc.property(list, fc.nat(), wrong, (value, where, sign) => {
        const whole = Buffer.from(JSON.stringify(value))
        const at = where % whole.length
        const body = Buffer.concat([whole.subarray(0, at), Buffer.from(sign), whole.subarray(at + 1)])
        const expected = attempt(() => JSON.parse(body.toString()))
        expect(attempt(() => parseAnswer(body))).toEqual(expected)
      }),
      { numRuns: 200, endOnFailure: true },
    )
  })

  it.each([
    [
      'an object',
      { object: 'invoice', memo: 'm'.repeat(30_000), lines: { data: [{ id: 'il_1' }, { id: 'il_2' }] } },
    ],
    ['a list of no objects', { object: 'list', data: Array.from({ length: 9_000 }, (_, index) => index) }],
    [
      'a list with more about it',
      { object: 'list', about: { data: [] }, data: [{ id: 'in_' }, { id: 'm'.repeat(30_000) }] },
    ],
    ['a list at an address beyond ASCII', { object: 'list', url: '/v1/é', data: many }],
    [
      'a list of large objects',
      { object: 'list', data: [1, 2, 3].map((n) => ({ id: `in_${n}`, memo: 'm'.repeat(30_000) })) },
    ],
    ['a refusal', { error: { message: 'm'.repeat(30_000) } }],
  ])('that is %s is read whole', (_, value) => {
    expect(parseAnswer(Buffer.from(JSON.stringify(value)))).toEqual(value)
  })
})

it.each(['5', 'null', '{}', '[]'])('an answer that names its data twice says the last: %s', (second) => {
  const body = `{"object":"list","data":${JSON.stringify(many)},"data":${second}}`
  expect(parseAnswer(Buffer.from(body))).toEqual(JSON.parse(body))
})

function attempt(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return { name: error instanceof Error && error.name }
  }
}
