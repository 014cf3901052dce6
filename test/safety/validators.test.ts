import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/api.ts'
import { canonicalEmail, canonicalHost } from '#server/email-address.ts'
import { collapsedPath } from '#server/http/paths.ts'
import { parseBody } from '#server/providers/identity/bodies.ts'
import { networkOf } from '#server/providers/identity/network.ts'
import { servedCalls } from '#server/providers/identity/paths.ts'
import { weaknessOf } from '#server/providers/identity/weak-password.ts'
import { redacted } from '#server/providers/redacted.ts'
import { claimableDomain, isPersonalMail } from '#server/work/addresses/mail-domain.ts'

/**
 * A body is read up to 100,000 bytes (read-body.ts), twice the last length of `npm run prove -- patterns`. Small lengths
 * first: steep patterns would never finish the last.
 */
const lengths =
  process.env['LENGTHS'] === 'all' ? [1_000, 2_000, 4_000, 10_000, 50_000] : [1_000, 4_000, 16_000]
/** Below this time, a text is harmless, and its cost hidden by the machine's other work. */
const cheapMs = 100
/** Linear work doubles for a text of twice the length; work repeated from each position quadruples. */
const ratioMax = 3

/** Texts that are slow for patterns with two ways to continue. */
const runs = [
  'a',
  '1',
  ' ',
  '-',
  '/',
  '.',
  ':',
  '@',
  '\ufdfa',
  '\u00e9',
  'a1',
  'a.',
  'a@',
  'a ',
  '-a',
  'eyJ-',
  'token-',
  'bearer ',
  '::1',
  '%2e',
  '0000-',
]
const ends = ['', 'a', '!', '@a.example']
const made = new Map<number, readonly string[]>()
/** The texts of about this length, made once for all patterns. */
function hostile(length: number): readonly string[] {
  const texts =
    made.get(length) ??
    runs.flatMap((run) => ends.map((end) => `abcd${run.repeat(Math.ceil(length / run.length))}${end}`))
  made.set(length, texts)
  return texts
}

/** The minimum of several runs, because other work of the machine only adds time. */
function costMs(look: (text: string) => unknown, text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time += 1) {
    const begunAt = performance.now()
    look(text)
    least = Math.min(least, performance.now() - begunAt)
  }
  return least
}

/** The first text whose cost far more than doubles at twice its length; stops there, because the next would hang. */
function findSteep(look: (text: string) => unknown): string | null {
  for (const length of lengths) {
    const doubled = hostile(length * 2)
    for (const [index, text] of hostile(length).entries()) {
      const longer = doubled[index] ?? ''
      if (costMs(look, longer, 1) <= cheapMs) continue
      const [once, twice] = [costMs(look, text, 8), costMs(look, longer, 8)]
      if (twice > cheapMs && twice > once * ratioMax) {
        return `${JSON.stringify(text.slice(0, 12))}... of ${length}: ${once.toFixed(1)} ms, twice that: ${twice.toFixed(1)} ms`
      }
    }
  }
  return null
}

type Schema = z.core.JSONSchema.BaseSchema

/** A value that fits the schema, with the text in every place for a text. */
function filled(schema: Schema | boolean | undefined, text: string): unknown {
  if (typeof schema !== 'object') return text
  if (schema.anyOf)
    return filled(schema.anyOf.find((one) => typeof one === 'object' && one.type === 'object') ?? {}, text)
  if (schema.type === 'array') return [filled(schema.items as Schema, text)]
  if (schema.type !== 'object') return text
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, value]) => [key, filled(value, text)]),
  )
}

const quietly = (look: () => unknown) => {
  try {
    return look()
  } catch (error) {
    return error
  }
}

const own: Record<string, (text: string) => unknown> = {
  'a password': (text) => weaknessOf(text, null),
  'a password, beside its address': (text) => weaknessOf('a passphrase of somebody', text),
  'an address': canonicalEmail,
  'a host': canonicalHost,
  'a claimable domain': (text) => [
    claimableDomain(text),
    claimableDomain(`a@${text}`),
    isPersonalMail(text.slice(0, 253)),
  ],
  'a network address': networkOf,
  "a provider's words": redacted,
  'a path': (text) => quietly(() => collapsedPath(`http://localhost/${text}`)),
}
const identity = [...servedCalls].flatMap((call) => {
  const [method, path = ''] = call.split(' ')
  const names = [
    'email',
    'name',
    'password',
    'newPassword',
    'currentPassword',
    'token',
    'callbackURL',
    'redirectTo',
    'image',
    'provider',
  ]
  const look = (text: string) =>
    names.map((name) =>
      quietly(() =>
        parseBody(
          path,
          JSON.stringify({
            email: 'a@b.example',
            name: 'A',
            password: 'p',
            newPassword: 'p',
            currentPassword: 'p',
            token: 't',
            [name]: text,
          }),
        ),
      ),
    )
  return method === 'POST' ? [[path, look] as const] : []
})
const contract = Object.entries(api).map(([name, { params, query, body }]) => {
  const schemas = [params, query, body].map((schema) => ({
    schema,
    shape: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  }))
  return [
    name,
    (text: string) => schemas.map(({ schema, shape }) => schema.safeParse(filled(shape, text))),
  ] as const
})

describe('what looks at a text before it is known whose it is costs no more than twice as much for twice the text', () => {
  it.each(Object.entries(own))('%s', (_, look) => expect(findSteep(look)).toBeNull())
  it.each(identity)('the body of %s', (_, look) => expect(findSteep(look)).toBeNull())
  it.each(contract)('the call %s', (_, look) => expect(findSteep(look)).toBeNull())
})

/** The alternatives of a pattern that look from every position for a repetition at the end of the text. */
function openEnded(source: string): string[] {
  const patterns = source.matchAll(
    /(?<=[(,=:[!&|?{};\s])\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/[dgimsuvy]*/g,
  )
  return [...patterns].flatMap(([, pattern = '']) =>
    alternativesOf(pattern).filter(
      (one) => /(?<!\\)[+*]\$$/.test(one) && !/^(?:\^|\(\?<!|\(\?<=\^)/.test(one),
    ),
  )
}

/** Splits a pattern at the bars outside groups and classes. */
function alternativesOf(pattern: string): string[] {
  const parts = pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|./g) ?? []
  let depth = 0
  return parts
    .map((part) => {
      depth += part === '(' ? 1 : part === ')' ? -1 : 0
      return part === '|' && depth === 0 ? '\n' : part
    })
    .join('')
    .split('\n')
}

describe('no pattern of the server ends in a repetition without a beginning', () => {
  it('is told from one that has', () => {
    expect(openEnded(`text.replace(/^[^a-z]+|[^a-z]+$/g, '')`)).toEqual(['[^a-z]+$'])
    for (const anchored of ['/^[a-z]+$/', '/^(?:sk|rk)_[a-z]+$/', '/(?<!-)-+$/', '/^a|b$/'])
      expect(openEnded(`const one = ${anchored}`)).toEqual([])
  })

  it.each(globSync('src/{server,contract,domain}/**/*.ts', { exclude: ['**/*.test.ts'] }))('%s', (file) => {
    expect(openEnded(readFileSync(file, 'utf8'))).toEqual([])
  })
})
