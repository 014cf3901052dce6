import { describe, expect, it } from 'vitest'
import { connect, createOrders, enterpriseHubId, install, openBench, starterHubId } from '../test-client.ts'

const path = '/crm/properties/2026-09/companies'
const key = {
  groupName: 'companyinformation',
  name: 'match_key',
  label: 'Match key',
  type: 'string',
  fieldType: 'text',
  hasUniqueValue: true,
}

describe('property definitions', () => {
  it('are created once; a second create names the conflict', async () => {
    const app = await connect()
    expect((await app.call('POST', path, key)).status).toBe(201)
    expect((await app.call('GET', `${path}/match_key`)).body).toMatchObject({ hasUniqueValue: true })
    const again = await app.call('POST', path, key)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    })
  })

  it('come back with the posted definition after they were archived', async () => {
    const app = await connect()
    await app.call('POST', path, key)
    expect((await app.call('DELETE', `${path}/match_key`)).status).toBe(204)
    expect((await app.call('GET', `${path}/match_key`)).status).toBe(404)
    const revived = await app.call('POST', path, { ...key, label: 'New label' })
    expect([revived.status, revived.body.label]).toEqual([201, 'New label'])
  })

  it('ignore hasUniqueValue in a PATCH and replace options as a whole', async () => {
    const app = await connect()
    const orders = await createOrders(app)
    const orderPath = `/crm/properties/2026-09/${orders}`
    const title = await app.call('PATCH', `${orderPath}/title`, { hasUniqueValue: true, label: 'Name' })
    expect([title.status, title.body.hasUniqueValue, title.body.label]).toEqual([200, false, 'Name'])
    const paused = { label: 'Paused', value: 'paused' }
    const unordered = await app.call('PATCH', `${orderPath}/status`, { options: [paused] })
    expect([unordered.status, unordered.body.message]).toEqual([
      400,
      expect.stringContaining('[displayOrder]'),
    ])
    const options = [{ ...paused, displayOrder: 0 }]
    const status = await app.call('PATCH', `${orderPath}/status`, { options })
    expect(status.body.options.map((option: { value: string }) => option.value)).toEqual(['paused'])
  })

  it('allow ten unique ones of an object type', async () => {
    const app = await connect()
    const statuses: number[] = []
    for (let at = 0; at < 11; at++) {
      statuses.push((await app.call('POST', path, { ...key, name: `key_${at}` })).status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.at(-1)).toBe(400)
  })

  it.each([
    { groupName: 'no_such_group' },
    { name: 'Upper' },
    { name: 'hs_own' },
    { type: 'money' },
    { fieldType: 'checkbox' },
    { type: 'enumeration', fieldType: 'select' },
  ])('are refused with %o', async (changes) => {
    const app = await connect()
    expect((await app.call('POST', path, { ...key, ...changes })).status).toBe(400)
  })

  it('of type bool need exactly true and false', async () => {
    const app = await connect()
    const option = (value: string) => ({ label: value, value, displayOrder: 0 })
    const flag = { ...key, hasUniqueValue: false, type: 'bool', fieldType: 'booleancheckbox' }
    const refused = await app.call('POST', path, { ...flag, options: [option('true')] })
    expect(refused.body.errors[0].code).toBe('INVALID_BOOLEAN_OPTION')
    const options = [option('true'), option('false')]
    expect((await app.call('POST', path, { ...flag, options })).status).toBe(201)
  })

  it('show a number as money by another property, which cannot be taken back', async () => {
    const app = await connect()
    const amount = `/crm/properties/2026-09/${await createOrders(app)}/amount`
    const patch = (body: object) => app.call('PATCH', amount, body)
    expect((await patch({ showCurrencySymbol: true })).body).toMatchObject({ showCurrencySymbol: true })
    expect((await patch({ showCurrencySymbol: false })).body.showCurrencySymbol).toBeUndefined()
    const without = [{}, { showCurrencySymbol: false }]
    for (const money of without)
      expect((await patch({ currencyPropertyName: 'no_such', ...money })).status).toBe(400)
    const bound = { currencyPropertyName: 'no_such', showCurrencySymbol: true }
    expect(await patch(bound)).toMatchObject({ status: 200, body: bound })
    expect((await patch({ showCurrencySymbol: false })).status).toBe(400)
    for (const currencyPropertyName of ['', null])
      expect(await patch({ currencyPropertyName, label: 'Sum' })).toMatchObject({ status: 200, body: bound })
    expect((await app.call('GET', amount)).body).toMatchObject({ ...bound, label: 'Sum' })
  })

  it('take the schema scope of their object type', async () => {
    const bench = openBench()
    const { accessToken } = await install(bench, starterHubId)
    expect((await bench.send('POST', path, key, accessToken)).status).toBe(201)
    const refused = await bench.send('POST', '/crm/properties/2026-09/contacts', key, accessToken)
    expect(refused.body.errors[0].context.requiredGranularScopes).toEqual(['crm.schemas.contacts.write'])
  })
})

describe('the address of a contact', () => {
  const contacts = '/crm/objects/2026-09/contacts'

  it.each([
    'ann@northwind.con',
    'ann@northwind.comtttt',
    'ann@northwind.local',
    '"Ann Smith"@northwind.com',
    'ann..smith@northwind.com',
    'ann@northwind',
    'ann@x@northwind.com',
    'ann@north;wind.com',
  ])('%s is refused', async (email) => {
    const app = await connect()
    const { status, body } = await app.call('POST', contacts, { properties: { email } })
    expect([status, body.errors]).toMatchObject([400, [{ code: 'INVALID_EMAIL' }]])
  })

  it.each([
    'ann@test.design',
    "o'brien+x@northwind.co.uk",
    'ann@email.삼성',
    'ann@northwind.example',
    'ann@a.test',
  ])('%s is taken', async (email) => {
    const app = await connect()
    expect((await app.call('POST', contacts, { properties: { email } })).status).toBe(201)
  })

  it.each([
    ['as_sent', 'kim@bücher.example', false],
    ['ascii', 'kim@xn--bcher-kva.example', true],
    ['unicode', 'kim@bücher.example', true],
  ])('has its host spelled %s', async (emailHosts, kept, isOne) => {
    const app = await connect()
    await app.send('POST', '/_control/settings', { hubId: enterpriseHubId, emailHosts })
    const create = (email: string) => app.call('POST', contacts, { properties: { email } })
    expect((await create('kim@Bücher.example')).body.properties.email).toBe(kept)
    expect((await create('kim@xn--bcher-kva.example')).status).toBe(isOne ? 409 : 201)
    const inputs = ['kim@xn--bcher-kva.example', 'kim@bücher.example'].map((id) => ({ id }))
    const read = await app.call('POST', `${contacts}/batch/read`, { idProperty: 'email', inputs })
    expect(new Set(read.body.results.map(({ id }: { id: string }) => id)).size).toBe(isOne ? 1 : 2)
  })
})

describe('values', () => {
  it.each([
    ['amount', '25.00', '25.00'],
    ['amount', 12.5, '12.5'],
    ['due_on', '2026-10-01', '2026-10-01'],
    ['due_on', Date.UTC(2026, 9, 1), '2026-10-01'],
    ['paid_at', '2026-10-01T23:30:00Z', '2026-10-01T23:30:00.000Z'],
    ['paid_at', '1790897400000', '2026-10-01T23:30:00.000Z'],
    ['status', 'past_due', 'past_due'],
    ['title', '', null],
  ])('%s takes %o and holds %o', async (name, given, held) => {
    const app = await connect()
    const orders = await createOrders(app)
    const properties = { order_key: 'k', [name]: given }
    const { status, body } = await app.call('POST', `/crm/objects/2026-09/${orders}`, { properties })
    expect([status, body.properties[name]]).toEqual([201, held])
  })

  it.each([
    ['amount', '1,000', 'INVALID_INTEGER'],
    ['amount', '$5', 'INVALID_INTEGER'],
    ['due_on', '2026-10-01T23:30:00Z', 'INVALID_DATE'],
    ['due_on', Date.UTC(2026, 9, 1, 1), 'INVALID_DATE'],
    ['paid_at', 'yesterday', 'INVALID_DATE'],
    ['status', 'Past_Due', 'INVALID_OPTION'],
    ['status', 'active;past_due', 'INVALID_OPTION'],
    ['title', 'x'.repeat(65_537), 'PROPERTY_VALUE_TOO_LONG'],
    ['missing', 'x', 'PROPERTY_DOESNT_EXIST'],
    ['hs_object_id', '5', 'READ_ONLY_VALUE'],
  ])('%s refuses %o', async (name, given, code) => {
    const app = await connect()
    const orders = await createOrders(app)
    const properties = { order_key: 'k', [name]: given }
    const { status, body } = await app.call('POST', `/crm/objects/2026-09/${orders}`, { properties })
    expect([status, body.category]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.errors).toMatchObject([{ code, context: { propertyName: [name] } }])
    expect(body.message).toContain(`"error":"${code}"`)
  })
})
