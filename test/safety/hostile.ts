import type { ProbedCall, ProbeInput } from './calls.ts'
import { pick } from './chance.ts'

/** A request as sent, including what the type `Input` cannot express. */
export type Shot = { method: string; path: string; body: BodyInit | null; headers: Record<string, string> }

type Random = () => number

/** Texts that break software without protection. */
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\uFEFF',
  '\u202Egpj.exe',
  'é'.normalize('NFD'),
  '𝕳𝖊𝖑𝖑𝖔',
  'İ',
  '%',
  '%00',
  '%zz',
  '%_\\',
  '_____',
  '100%',
  `' or 1=1 --`,
  `'; drop table runs; --`,
  '$1',
  '\\',
  '"',
  '`',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '=cmd()',
  'a\r\nset-cookie: x=y',
  '../../etc/passwd',
  '//evil.example',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e3',
  '0x10',
  '９',
  '9'.repeat(40),
  '2147483648',
  '9223372036854775808',
  '-1',
  '1.5',
  'x'.repeat(300),
  'x'.repeat(10_000),
  '(((((((((((((((((((((',
  `${'a'.repeat(60)}!`,
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19T23:59:59Z',
  '9999-12-31T23:59:59Z',
  '0000-00-00T00:00:00Z',
  'sk_live_no',
  'whsec_no',
]

const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  [],
  [[]],
  {},
  [null],
  { length: -1 },
  { toString: 1 },
  { valueOf: null },
  { $ne: null },
]

const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'organizationId',
  'role',
  'status',
  'id',
  '',
  'x\u0000',
  '$where',
]

export const hostileText = (random: Random): string => pick(random, texts)
const hostileValue = (random: Random): unknown =>
  random() < 0.6 ? hostileText(random) : pick(random, others)

/** The request with one of its fields replaced by a hostile value. */
export function breakOne(input: ProbeInput, random: Random, values = hostileValue): ProbeInput {
  const places = [
    ...(input.path.split('/').length > 3 ? (['path'] as const) : []),
    ...Object.keys(input.query).map(() => 'query' as const),
    ...(isObject(input.body) ? (['body', 'body'] as const) : []),
    'extra' as const,
  ]
  switch (pick(random, places)) {
    case 'path': {
      const segments = input.path.split('/')
      const index = 2 + Math.floor(random() * (segments.length - 2))
      return { ...input, path: segments.with(index, encode(hostileText(random))).join('/') }
    }
    case 'query':
      return {
        ...input,
        query: { ...input.query, [pick(random, Object.keys(input.query))]: hostileText(random) },
      }
    case 'body':
      return { ...input, body: replaceLeaf(input.body, random, values) }
    default:
      return isObject(input.body) && random() < 0.6
        ? { ...input, body: withKey(input.body, pick(random, keys), values(random)) }
        : { ...input, query: { ...input.query, [pick(random, keys)]: hostileText(random) } }
  }
}

/** A field of the wrong type. */
export const mistype = (input: ProbeInput, random: Random): ProbeInput =>
  breakOne(input, random, (chance) => pick(chance, others))

function replaceLeaf(value: unknown, random: Random, values: (random: Random) => unknown): unknown {
  if (!isObject(value) || random() < 0.1) return values(random)
  const names = Object.keys(value)
  if (names.length === 0) return withKey(value, pick(random, keys), values(random))
  const name = pick(random, names)
  return withKey(value, name, replaceLeaf(value[name], random, values))
}

/** Like JSON.parse: '__proto__' is an ordinary key. */
function withKey(value: object, key: string, field: unknown): object {
  const copy = { ...value }
  Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true })
  return copy
}

/** Bytes that are no valid request. */
export function rawBody(random: Random, valid: string): BodyInit {
  const noise = Uint8Array.from({ length: 1 + Math.floor(random() * 200) }, () => random() * 256)
  return pick<BodyInit>(random, [
    noise,
    valid.slice(0, Math.floor(random() * valid.length)),
    `${valid}${valid}`,
    `\uFEFF${valid}`,
    '['.repeat(20_000),
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    '{"a":1,"a":2}',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '1e999',
    '"\\ud800"',
    'null',
    `{"name":"${'x'.repeat(99_000)}"}`,
    'x'.repeat(100_001),
    new Uint8Array([0xff, 0xfe, 0x7b, 0x00]),
  ])
}

/** The request with another method, or a path that is almost right. */
export function bend(shot: Shot, random: Random): Shot {
  const { path } = shot
  const [address = '', query = ''] = path.split('?')
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']
  const bent = pick(random, [
    path,
    path,
    address.replaceAll('/', '//'),
    `${address}/`,
    `${address};v=1`,
    `${address}%00`,
    `${address}%ff%c0`,
    `${address}/..%2f..%2fetc`,
    address.toUpperCase(),
    `${address}?${'a=1&'.repeat(200)}`,
    `${path}${query === '' ? '?' : '&'}%=%&&=&__proto__[x]=1`,
    `/${'x'.repeat(4_000)}`,
    `/%2e%2e/%2e%2e${address}`,
  ])
  const method = pick(random, methods)
  return { ...shot, method, path: bent, ...(['GET', 'HEAD'].includes(method) && { body: null }) }
}

const headerLines: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': '' },
  { 'content-length': '-1' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': "'; drop table session; --" },
  { 'x-http-method-override': 'DELETE' },
  { 'x-organization-id': '1' },
  { 'x-tributary-organization': '1' },
  { 'x-tributary-address': '127.0.0.1' },
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example' },
  { 'user-agent': 'x'.repeat(5_000) },
  { 'user-agent': '\u00ff<script>' },
  { accept: '*/*;q=nonsense' },
  { 'accept-encoding': 'gzip;q=0, *;q=0' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-0' },
  { authorization: 'Bearer null' },
  { 'stripe-signature': 't=1,v1=00' },
  { 'stripe-signature': ',,,=,t=,v1=' },
]

export const hostileHeaders = (random: Random): Record<string, string> => pick(random, headerLines)

/** The request as it would go out with nothing wrong about it. */
export function shotOf(call: ProbedCall, input: ProbeInput): Shot {
  const query = new URLSearchParams(input.query).toString()
  const body = call.method === 'GET' ? null : textOf(input.body)
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  return { method: call.method, path: `${input.path}${query && `?${query}`}`, body, headers }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? {})
}

function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
