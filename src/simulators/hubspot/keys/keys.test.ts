import { describe, expect, it } from 'vitest'
import { enterpriseHubId as hubId, openBench, orderSchema, starterHubId } from '../test-client.ts'

type Opened = ReturnType<typeof openBench>

const details = '/account-info/2026-09/details'
const schemas = '/crm-object-schemas/2026-09/schemas'
const tokenInfo = '/oauth/v2/private-apps/get/access-token-info'
const writers = ['crm.schemas.custom.write', 'crm.schemas.custom.read', 'crm.objects.custom.read']

async function makeKey(bench: Opened, scopes: readonly string[] = writers, portal = hubId): Promise<string> {
  return (await bench.send('POST', '/_control/service-key', { hubId: portal, scopes })).body.key
}

const ask = (bench: Opened, key: string, header?: string) =>
  bench.send('POST', tokenInfo, { tokenKey: key }, header)

describe('a service key', () => {
  it('opens its account by its scopes alone, without an end', async () => {
    const bench = openBench()
    const key = await makeKey(bench, ['crm.objects.contacts.write'])
    bench.clock.now += 365 * 24 * 3_600_000
    expect((await bench.send('GET', details, undefined, key)).body.portalId).toBe(hubId)
    const contacts = '/crm/objects/2026-09/contacts'
    const made = await bench.send('POST', contacts, { properties: { email: 'a@b.example' } }, key)
    expect(made.status).toBe(201)
    const read = await bench.send('GET', contacts, undefined, key)
    expect([read.status, read.body.category]).toEqual([403, 'MISSING_SCOPES'])
  })

  it('is told with its account and its scopes, to which oauth was added', async () => {
    const bench = openBench()
    expect((await ask(bench, await makeKey(bench, ['crm.objects.contacts.read']))).body).toMatchObject({
      hubId,
      scopes: ['oauth', 'crm.objects.contacts.read'],
    })
    expect((await ask(bench, 'pat-na1-nobodys')).status).toBe(401)
  })

  it('of the EU region is told only where the header has it too', async () => {
    const bench = openBench()
    await bench.send('POST', '/_control/settings', { hubId, dataHostingLocation: 'eu1' })
    const key = await makeKey(bench)
    expect(key).toMatch(/^pat-eu1-[0-9a-f]{8}-/)
    expect((await ask(bench, key)).status).toBe(401)
    expect((await ask(bench, key, key)).status).toBe(200)
  })

  it('that is rotated gives way to a new one, at once or after seven days; a deleted one ends', async () => {
    const bench = openBench()
    const isGood = async (key: string) => (await bench.send('GET', details, undefined, key)).status === 200
    const first = await makeKey(bench)
    const second = (await bench.send('POST', '/_control/rotate-key', { key: first })).body.key
    expect([await isGood(first), await isGood(second)]).toEqual([false, true])
    const third = (await bench.send('POST', '/_control/rotate-key', { key: second, endsNow: false })).body.key
    expect([await isGood(second), await isGood(third)]).toEqual([true, true])
    bench.clock.now += 7 * 24 * 3_600_000
    expect([await isGood(second), await isGood(third)]).toEqual([false, true])
    await bench.send('POST', '/_control/delete-key', { key: third })
    expect(await isGood(third)).toBe(false)
    expect((await ask(bench, third)).body.category).toBe('INVALID_AUTHENTICATION')
  })

  it('gets other scopes without becoming another key', async () => {
    const bench = openBench()
    const key = await makeKey(bench, [])
    expect((await bench.send('GET', schemas, undefined, key)).status).toBe(403)
    await bench.send('POST', '/_control/scopes-of-key', { key, scopes: writers })
    expect((await bench.send('GET', schemas, undefined, key)).status).toBe(200)
  })

  it('can be made on a page, with the scopes that the plan has', async () => {
    const bench = openBench()
    const form = await bench.send('GET', `/service-keys/${starterHubId}`)
    expect(form.body).toContain('crm.objects.contacts.read')
    expect(form.body).not.toContain('crm.objects.custom.read')
    const made = await bench.form(`/service-keys/${hubId}`, { scopes: 'crm.objects.contacts.read' })
    const key = /pat-[\w-]+/.exec(made.body)?.[0] ?? ''
    expect((await ask(bench, key)).body.scopes).toEqual(['oauth', 'crm.objects.contacts.read'])
    expect((await bench.send('GET', '/service-keys/1')).status).toBe(404)
  })

  it('is not a personal access key, of which HubSpot says that it ended in 1970', async () => {
    const answer = await openBench().send('GET', details, undefined, `Ci${'Rua1'.repeat(20)}`)
    expect(answer.body).toMatchObject({
      category: 'EXPIRED_AUTHENTICATION',
      context: { 'expire time': ['1970-01-01T00:00:00.000Z'] },
    })
  })
})

describe('a refusal to change schemas', () => {
  it.each(['plan', 'scope', 'approval'])(
    'for want of %s meets the app or keys, as it is switched',
    async (why) => {
      const bench = openBench()
      const key = await makeKey(bench)
      const create = async () => (await bench.send('POST', schemas, orderSchema(), key)).status
      const refuse = (schemaRefusals: object) =>
        bench.send('POST', '/_control/settings', { hubId, schemaRefusals })
      await refuse({ key: why })
      expect(await create()).toBe(403)
      expect((await bench.send('GET', schemas, undefined, key)).status).toBe(200)
      await refuse({ app: why })
      expect(await create()).toBe(201)
    },
  )
})
