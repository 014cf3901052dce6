import { describe, expect, it } from 'vitest'
import { connect, consent, openBench, orderSchema, starterHubId } from '../test-client.ts'

const hubId = 24180001
const schemas = '/crm-object-schemas/2026-09/schemas'

describe("the app's file", () => {
  const required = [
    'crm.objects.companies.read',
    'crm.objects.companies.write',
    'crm.objects.contacts.read',
    'crm.objects.contacts.write',
    'crm.schemas.companies.write',
  ]
  const optional = ['crm.objects', 'crm.schemas'].flatMap((area) =>
    ['read', 'write'].map((verb) => `${area}.custom.${verb}`),
  )
  const upload = (bench: ReturnType<typeof openBench>, file: object) =>
    bench.send('POST', '/_control/app', file)

  it('has to divide the scopes as the authorize address does; oauth is added by itself', async () => {
    const bench = openBench()
    await upload(bench, { requiredScopes: ['oauth', ...required], optionalScopes: optional })
    expect((await consent(bench)).status).toBe(302)
    for (const [requiredScopes, optionalScopes] of [
      [required.slice(1), optional],
      [required, [...optional, 'settings.currencies.read']],
      [[...required, ...optional], []],
    ]) {
      await upload(bench, { requiredScopes, optionalScopes })
      const refused = await consent(bench)
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
      expect(refused.body).toContain('not those that the app has registered')
    }
  })

  it('of a private app lists at most ten accounts, and no other can install it', async () => {
    const bench = openBench()
    await upload(bench, { allowedAccounts: [String(hubId)] })
    expect((await consent(bench)).status).toBe(302)
    expect((await consent(bench, { hub_id: String(starterHubId) })).status).toBe(403)
    const eleven = Array.from({ length: 11 }, (_, at) => String(at + 1))
    expect((await upload(bench, { allowedAccounts: eleven })).status).toBe(400)
  })
})

describe('objects made by hand', () => {
  it('stand beside those of apps, with properties that can be archived and calculated', async () => {
    const app = await connect()
    const made = await app.send('POST', '/_control/define-object', { hubId, ...orderSchema() })
    const type = made.body.objectTypeId
    const property = { name: 'total', label: 'Total', type: 'number', fieldType: 'number', calculated: true }
    await app.send('POST', '/_control/define-property', { hubId, type, property })
    await app.send('POST', '/_control/archive-property', { hubId, type, name: 'amount' })
    const { results } = (await app.call('GET', schemas)).body
    const named = (name: string) => results[0].properties.find((one: { name: string }) => one.name === name)
    expect(named('total')).toMatchObject({ calculated: true })
    expect(named('amount')).toBeUndefined()
    const archived = await app.call('GET', `/crm/properties/2026-09/${type}?archived=true`)
    expect(archived.body.results).toMatchObject([{ name: 'amount', archived: true }])
  })

  it('can be deleted, and keep their name until they are gone for good', async () => {
    const app = await connect()
    const { body } = await app.send('POST', '/_control/define-object', { hubId, ...orderSchema() })
    await app.send('POST', '/_control/delete-object', { hubId, type: body.objectTypeId })
    expect((await app.call('GET', schemas)).body.results).toEqual([])
    expect((await app.call('GET', `${schemas}?archived=true`)).body.results).toMatchObject([
      { name: 'order' },
    ])
    expect((await app.call('POST', schemas, orderSchema())).status).toBe(409)
    await app.send('POST', '/_control/delete-object', { hubId, type: body.objectTypeId, forGood: true })
    expect((await app.call('POST', schemas, orderSchema())).status).toBe(201)
  })
})
