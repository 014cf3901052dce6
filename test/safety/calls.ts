import { z } from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { servedCalls } from '#server/providers/identity/paths.ts'
import { type IdKind, type Ids, isIdName, kindOfPlace } from './ids.ts'

/** The place of an id in a request. */
export type IdPlace = { part: 'path' | 'query' | 'body'; name: string; kind: IdKind }

export type ProbeInput = {
  path: string
  query: Record<string, string>
  /** JSON, or raw bytes. */
  body: unknown
}

/** One call that the server answers, from the contract, the identity library or our own pages. */
export type ProbedCall = {
  name: string
  method: string
  path: string
  access: Endpoint['access'] | 'library' | 'page'
  endpoint: Endpoint | null
  places: IdPlace[]
  /**
   * A valid request with these ids in every place for an id: with `random` in any of its forms, otherwise with only the
   * required fields.
   */
  inputOf(ids: Ids, random?: () => number): ProbeInput
}

/** The list of a body whose items have ids. */
export const probedList = 'customers'

export const contractCalls: ProbedCall[] = Object.entries(api).map(([name, endpoint]) => ({
  name,
  method: endpoint.method,
  path: endpoint.path,
  access: endpoint.access,
  endpoint,
  places: placesOf(endpoint),
  inputOf: (ids, random) => ({
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, place: string) => ids[kindOfPlace(endpoint.path, place)]),
    query: stringsOf(sampleOf(schemaOf(endpoint.query), '', { path: endpoint.path, ids, random })),
    body:
      endpoint.reads === 'bytes'
        ? '{"object":"event"}'
        : sampleOf(schemaOf(endpoint.body), '', { path: endpoint.path, ids, random }),
  }),
}))

const password = 'a passphrase of nobody'
const libraryBodies: Record<string, object> = {
  '/sign-in/email': { email: 'nobody@nowhere.example', password },
  '/sign-in/demo': {},
  '/sign-in/social': { provider: 'oidc' },
  '/sign-up/email': { email: 'nobody@nowhere.example', name: 'Nobody', password },
  '/sign-up/complete': { token: 'nobodys', newPassword: password },
  '/request-password-reset': { email: 'nobody@nowhere.example', redirectTo: '/sign-in' },
  '/reset-password': { newPassword: password, token: 'nobodys' },
  '/change-password': { currentPassword: password, newPassword: `${password} at all` },
  '/update-user': { name: 'Nobody' },
  '/change-email': { newEmail: 'nobody@nowhere.example', password },
  '/change-email/look': { token: 'nobodys' },
  '/change-email/confirm': { token: 'nobodys' },
  '/two-factor/enable': { password },
  '/two-factor/verify-totp': { code: '000000' },
  '/two-factor/verify-backup-code': { code: 'none' },
  '/two-factor/generate-backup-codes': { password, code: '000000' },
  '/two-factor/disable': { password, code: '000000' },
  '/send-verification-email': { email: 'nobody@nowhere.example' },
}

/** The calls of the identity library; the token in its mailed links is not an id of a person. */
export const libraryCalls: ProbedCall[] = [...servedCalls, 'GET /reset-password/nobodys_token'].map(
  (served) => {
    const [method = '', path = ''] = served.split(' ')
    const query: Record<string, string> = path === '/verify-email' ? { token: 'nobodys' } : {}
    return plainCall('library', method, `/api/identity${path}`, query, libraryBodies[path])
  },
)

export const pageCalls: ProbedCall[] = [
  '/',
  '/subscriptions',
  '/healthz',
  '/readyz',
  '/outbox',
  '/assets/gone.js',
  '/api/nothing',
].map((path) => plainCall('page', 'GET', path, {}))

function plainCall(
  access: 'library' | 'page',
  method: string,
  path: string,
  query: Record<string, string>,
  body?: object,
): ProbedCall {
  const name = `${method} ${path}`
  return { name, method, path, access, endpoint: null, places: [], inputOf: () => ({ path, query, body }) }
}

type Schema = z.core.JSONSchema.BaseSchema

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function placesOf(endpoint: Endpoint): IdPlace[] {
  const parts = { path: endpoint.params, query: endpoint.query, body: endpoint.body }
  return (['path', 'query', 'body'] as const).flatMap((part) =>
    namesIn(schemaOf(parts[part]))
      .filter(isIdName)
      .map((name) => ({ part, name, kind: kindOfPlace(endpoint.path, name) })),
  )
}

/** The names of the fields, and of those in the list. */
function namesIn(schema: Schema): string[] {
  const properties = propertiesOf(schema)
  const items = properties[probedList]?.items
  return [...Object.keys(properties), ...(isItem(items) ? namesIn(items) : [])]
}

function isItem(items: Schema['items']): items is Schema {
  return isSchema(items) && !Array.isArray(items)
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const [option = schema] = schema.anyOf ?? schema.oneOf ?? []
  return Object.fromEntries(
    Object.entries(option.properties ?? {}).flatMap(([k, v]) => (isSchema(v) ? [[k, v]] : [])),
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

const texts: Record<string, string> = {
  apiKey: 'sk_test_of_nobody',
  signingSecret: 'whsec_of_nobody_at_all',
  serviceKey: 'pat-of-nobody',
  email: 'somebody@nowhere.example',
  emailDomain: 'canaryaway.example',
  domain: 'nowhere.example',
  page: '1',
  limit: '10',
  from: '2026-01-01',
  to: '2026-12-31',
  startDate: '2026-11-01T00:00:00Z',
  endDate: '2026-11-02T00:00:00Z',
  interval: '30,365',
  currency: 'usd,eur',
  mrrStatus: 'New,Churn',
  renewsWithinDays: '30',
}

type About = { path: string; ids: Ids; random: (() => number) | undefined }

/** A value that the schema accepts: the required fields, and ids in every place for them. */
function sampleOf(schema: Schema, name: string, about: About): unknown {
  const { random = () => 0 } = about
  if (isIdName(name)) return about.ids[kindOfPlace(about.path, name)]
  const [option] = schema.anyOf ?? schema.oneOf ?? []
  if (isSchema(option)) return sampleOf(option, name, about)
  if (schema.const !== undefined) return schema.const
  if (name === probedList && isItem(schema.items)) return [sampleOf(schema.items, name, about)]
  if (schema.enum) return schema.enum[Math.floor(random() * schema.enum.length)]
  if (schema.type === 'null') return null
  if (schema.type === 'boolean') return random() >= 0.5
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'string') return texts[name] ?? 'some text'
  if (schema.type !== 'object') return undefined
  const wanted = Object.entries(propertiesOf(schema)).filter(
    ([key, value]) =>
      (schema.required?.includes(key) && value.default === undefined) || isIdName(key) || random() > 0.5,
  )
  return Object.fromEntries(wanted.map(([key, value]) => [key, sampleOf(value, key, about)]))
}

function stringsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(Object(value)).map(([key, text]) => [key, String(text)]))
}
