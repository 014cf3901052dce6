import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { spellings } from './to-hubspot/our-objects.ts'

const text = z.string().min(1)
const values = z.record(text, z.string())
const id = z.strictObject({ id: text })
const batchOf = <Input extends z.ZodType>(input: Input, most: number) =>
  z.strictObject({ inputs: z.array(input).min(1).max(most) })
const option = z.strictObject({
  label: text,
  value: text,
  displayOrder: z.int(),
  hidden: z.boolean(),
  description: z.string().optional(),
})
const property = z.strictObject({
  name: text.regex(/^[a-z][a-z0-9_]*$/),
  label: text,
  description: text,
  type: z.enum(['string', 'number', 'date', 'datetime', 'enumeration']),
  fieldType: z.enum(['text', 'textarea', 'number', 'date', 'select']),
  hasUniqueValue: z.literal(true).optional(),
  options: z.array(option).min(1).optional(),
})
const spec = z.strictObject({ associationCategory: z.literal('HUBSPOT_DEFINED'), associationTypeId: z.int() })

/**
 * What HubSpot publishes about each call that we make: method, path and the whole body (API descriptions,
 * 2026-09).
 */
const published: readonly [string, RegExp, z.ZodType | null][] = [
  ['GET', /^\/account-info\/2026-09\/details$/, null],
  ['GET', /^\/settings\/currencies\/2026-09\/exchange-rates$/, null],
  ['GET', /^\/crm-object-schemas\/2026-09\/schemas$/, null],
  [
    'POST',
    /^\/crm-object-schemas\/2026-09\/schemas$/,
    z.strictObject({
      name: text,
      labels: z.strictObject({ singular: text, plural: text }),
      description: text,
      primaryDisplayProperty: text,
      secondaryDisplayProperties: z.array(text).max(2),
      requiredProperties: z.array(text),
      searchableProperties: z.array(text),
      properties: z.array(property),
      associatedObjects: z.array(z.string().regex(/^(0-[12]|2-\d+)$/)),
      allowsSensitiveProperties: z.boolean(),
      shouldCreateSameObjectAssociation: z.boolean(),
    }),
  ],
  [
    'POST',
    /^\/crm-object-schemas\/2026-09\/schemas\/2-\d+\/associations$/,
    z.strictObject({ fromObjectTypeId: text, toObjectTypeId: text, name: text }),
  ],
  ['GET', /^\/crm\/limits\/2026-09\/(custom-object-types|records)$/, null],
  ['GET', /^\/crm\/properties\/2026-09\/(0-2|2-\d+)$/, null],
  ['GET', /^\/crm\/properties\/2026-09\/2-\d+\/[a-z_]+$/, null],
  ['POST', /^\/crm\/properties\/2026-09\/(0-2|2-\d+)$/, property.extend({ groupName: text })],
  [
    'PATCH',
    /^\/crm\/properties\/2026-09\/2-\d+\/[a-z_]+$/,
    z.union([
      z.strictObject({ options: z.array(option) }),
      z.strictObject({ currencyPropertyName: text, showCurrencySymbol: z.literal(true) }),
    ]),
  ],
  ['GET', /^\/crm\/objects\/2026-09\/(0-[12]|2-\d+)$/, null],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/2-\d+\/batch\/upsert$/,
    batchOf(
      z.strictObject({ id: text, idProperty: text, objectWriteTraceId: text, properties: values }),
      100,
    ),
  ],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/2-\d+\/batch\/update$/,
    batchOf(z.strictObject({ id: text, objectWriteTraceId: text, properties: values }), 100),
  ],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/0-[12]\/batch\/create$/,
    batchOf(
      z.strictObject({
        objectWriteTraceId: text,
        properties: values,
        associations: z.array(z.strictObject({ to: id, types: z.array(spec).min(1) })),
      }),
      100,
    ),
  ],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/(0-[12]|2-\d+)\/batch\/read$/,
    batchOf(id, 100).extend({
      idProperty: text.optional(),
      properties: z.array(text),
      propertiesWithHistory: z.array(text),
    }),
  ],
  ['PATCH', /^\/crm\/objects\/2026-09\/0-2\/\d+$/, z.strictObject({ properties: values })],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/contacts\/gdpr-delete$/,
    z.strictObject({ objectId: text, idProperty: text.optional() }),
  ],
  ['POST', /^\/crm\/objects\/2026-09\/2-\d+\/batch\/archive$/, batchOf(id, 100)],
  [
    'POST',
    /^\/crm\/objects\/2026-09\/(0-[12]|2-\d+)\/search$/,
    z.strictObject({
      after: z.string().regex(/^\d+$/),
      filterGroups: z.array(
        z.strictObject({
          filters: z.array(z.strictObject({ propertyName: text, operator: z.enum(['GTE']), value: text })),
        }),
      ),
      limit: z.int().max(200),
      properties: z.array(text),
      query: text.optional(),
      sorts: z.array(z.string().regex(/^-?[a-z][a-z0-9_]*$/)).max(1),
    }),
  ],
  [
    'POST',
    /^\/crm\/associations\/2026-09\/(0-1|2-\d+)\/(0-[12]|2-\d+)\/batch\/associate\/default$/,
    batchOf(z.strictObject({ from: id, to: id }), 2_000),
  ],
  [
    'POST',
    /^\/crm\/associations\/2026-09\/2-\d+\/(0-[12]|2-\d+)\/batch\/archive$/,
    batchOf(z.strictObject({ from: id, to: z.array(id).length(1) }), 2_000),
  ],
  [
    'POST',
    /^\/crm\/associations\/2026-09\/(0-1|2-\d+)\/(0-[12]|2-\d+)\/batch\/read$/,
    batchOf(z.strictObject({ id: text, after: text.optional() }), 1_000),
  ],
]
const listQuery = z.strictObject({
  limit: z.literal('100'),
  properties: text,
  associations: text.optional(),
  after: text.optional(),
})
const forms = {
  token: z.strictObject({
    grant_type: z.enum(['authorization_code', 'refresh_token']),
    client_id: text,
    client_secret: text,
    code: text.optional(),
    redirect_uri: text.optional(),
    refresh_token: text.optional(),
  }),
  revoke: z.strictObject({ client_id: text, client_secret: text, token: text, token_type_hint: text }),
  introspect: z.strictObject({ client_id: text, client_secret: text, token: text, token_type_hint: text }),
}

/** HubSpot refuses longer bodies, so the properties must leave room for what people type. */
const searchBodyMax = 3_000

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** Every call of the port against a HubSpot that has no data. */
async function allRequests(): Promise<{ request: Request; body: string }[]> {
  const requests: { request: Request; body: string }[] = []
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url)
    requests.push({ request, body: await request.clone().text() })
    if (pathname === '/oauth/2026-09/token/revoke') return new Response(null, { status: 204 })
    const body = requests.at(-1)?.body ?? ''
    if (body.includes('refused')) return Response.json({ status: 'error', message: 'no' }, { status: 400 })
    if (/objects.*batch\/read$/.test(pathname)) return Response.json({ results: JSON.parse(body).inputs })
    return Response.json({ ...answers, ...(pathname.endsWith('/status') && { name: 'status' }) })
  }
  // A clock that stands still would hold back what is over the limit for ever.
  const now = () => new Date(requests.length * 1_000)
  const crm = hubspotBy(fetch, { now, paces: createRateLimits(db.database, now) })
  const access: CrmAccess = { portalId: 'published', token: async () => 'token' }
  const types = { subscription: '2-1', event: '2-2' }
  const pair = { fromId: '1', toId: '2' }
  await crm.exchangeCode({ code: 'c', redirectUri: 'http://localhost/x' })
  await crm.refreshTokens('r')
  await crm.revokeTokens('r')
  await crm.getAccount(access)
  await crm.findPortalDomain(access)
  await crm.listExchangeRates(access)
  await crm.findObjects(access)
  await crm.findFreeObjectSlots(access)
  await crm.createObject(access, 'subscription', null)
  await crm.createObject(access, 'event', '2-1')
  for (const kind of ['subscription', 'event'] as const) {
    const converted = Object.keys(spellings[kind].converted)
    await crm.addFields(access, kind, types[kind], [...Object.keys(spellings[kind].fields), ...converted])
    await crm.upsertRecords(access, kind, types[kind], [{ key: 'k', values: {}, isNew: true }])
    await crm.restoreKeys(access, kind, types[kind], [{ recordId: '1', key: 'k' }])
    await crm.findNewestRecords(access, kind, types[kind], converted)
    await crm.listRecords(access, kind, types, '7', converted)
    await crm.readRecords(access, kind, types[kind], ['1'])
  }
  await crm.upsertRecords(access, 'event', '2-2', [{ key: 'refused', values: {}, isNew: true }])
  await crm.addOptions(access, 'subscription', '2-1', ['status'])
  await crm.findAmounts(access)
  await crm.bindAmount(access, '2-1', { property: 'mrr', currencyProperty: 'currency_code', boundTo: null })
  await crm.addTargets(access, 'event', types, ['subscription', 'company', 'contact'])
  await crm.ensureCompanyKey(access)
  await crm.createCompanies(access, [{ key: 'new.example', domain: 'new.example', name: 'New' }])
  await crm.createContacts(access, [{ email: 'kim@new.example', companyRecordId: '2' }])
  await crm.deleteContactForGood(access, '1')
  await crm.clearCompany(access, '1', { name: 'Erased', domain: true, key: true })
  await crm.archiveRecords(access, '2-2', ['1'])
  await crm.associate(access, '2-2', { objectTypeId: '2-1' }, [pair])
  await crm.dissociate(access, '2-2', 'company', [pair])
  await crm.listAssociated(access, '2-1', 'contact', ['1'])
  await crm.listCompanies(access, null)
  await crm.listContacts(access, '3')
  await crm.searchCompanies(access, 'new')
  await crm.searchChangedCompanies(access, new Date(0), null)
  await crm.searchChangedContacts(access, new Date(0), '200')
  await crm.readCompanies(access, ['1'])
  await crm.readContacts(access, ['1'])
  await crm.listCompaniesOfContacts(access, ['1'])
  await crm.tieContacts(access, [{ fromId: '1', toId: '2' }])
  return requests
}

/** One answer that contains the fields of every call. */
const answers = {
  ...{ access_token: 'a', refresh_token: 'b', expires_in: 1_800, hub_id: 1 },
  ...{ portalId: 1, limit: 10, usage: 0, total: 0, objectTypeId: '2-9', name: 'x', results: [] },
  // HubSpot's published answers may omit the position of an option.
  options: [{ value: 'theirs', label: 'Theirs', hidden: false }],
}

describe('every request', () => {
  it('has the path, the method and the body that HubSpot publishes for it, and no other field', async () => {
    const seen = new Set<number>()
    for (const { request, body } of await allRequests()) {
      const url = new URL(request.url)
      const said = `${request.method} ${url.pathname}`
      if (url.pathname.startsWith('/oauth/')) {
        const call = url.pathname.split('/').at(-1)
        const form = call === 'revoke' || call === 'introspect' ? forms[call] : forms.token
        expect(form.safeParse(Object.fromEntries(new URLSearchParams(body))).error, said).toBeUndefined()
        expect(request.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
        expect(url.search).toBe('')
        continue
      }
      const index = published.findIndex(
        ([method, path]) => method === request.method && path.test(url.pathname),
      )
      const [, , schema] = published[index] ?? []
      expect(index, said).not.toBe(-1)
      seen.add(index)
      if (url.pathname.endsWith('/search')) expect(body.length, said).toBeLessThan(searchBodyMax)
      expect(request.headers.get('authorization')).toBe('Bearer token')
      if (!schema) expect(body, said).toBe('')
      else expect(schema.safeParse(JSON.parse(body)).error, said).toBeUndefined()
      if (url.pathname.startsWith('/crm/objects/') && !schema)
        expect(listQuery.safeParse(Object.fromEntries(url.searchParams)).error, said).toBeUndefined()
      else expect(url.search, said).toBe(url.pathname.startsWith('/settings/') ? '?limit=100' : '')
    }
    expect(
      published.filter((_, index) => !seen.has(index)).map(([method, path]) => `${method} ${path}`),
    ).toEqual([])
  })

  it('lists a choice for every enumeration, and the field type that belongs to each type', () => {
    const fields = Object.values(spellings).flatMap((spelling) => Object.values(spelling.fields))
    const odd = fields.filter(({ type, options }) => (type === 'enumeration') !== (options !== undefined))
    expect(odd).toEqual([])
  })
})
