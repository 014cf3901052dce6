import { expect, it } from 'vitest'
import { type ConnectedApp, connect, enterpriseHubId } from '../test-client.ts'

const companies = '/crm/objects/2026-09/companies'
const names = ['num_associated_contacts', 'num_associated_deals', 'notes_last_updated', 'createdate']

const control = (app: ConnectedApp, what: string, body: object) =>
  app.send('POST', `/_control/${what}`, { hubId: enterpriseHubId, ...body })

/** An account with one company, and functions that tie records to it and read it. */
async function openAccount() {
  const app = await connect()
  const { body } = await app.call('POST', companies, { properties: { name: 'Acme' } })
  const tied = (type: string, associationTypeId: number, properties: object) => {
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }]
    return control(app, 'create', { type, properties, associations: [{ to: { id: body.id }, types }] })
  }
  return {
    app,
    id: body.id as string,
    addContact: (email: string) => tied('contacts', 279, { email }),
    addDeal: (dealname: string) => tied('deals', 341, { dealname }),
    read: async () => {
      const answer = await app.call('GET', `${companies}/${body.id}?properties=${names.join(',')}`)
      return names.map((name) => answer.body.properties[name])
    },
  }
}

it('counts the live contacts and deals of a company', async () => {
  const { app, read, addContact, addDeal } = await openAccount()
  const first = await addContact('ann@acme.example')
  await addContact('bob@acme.example')
  await addDeal('Seats')
  expect((await read()).slice(0, 2)).toEqual(['2', '1'])
  await app.call('DELETE', `/crm/objects/2026-09/contacts/${first.body.id}`)
  expect((await read()).slice(0, 2)).toEqual(['1', '1'])
})

it.each([[null], [''], ['0']])(
  'answers %j where there is nothing to count, as the account decides',
  async (countOfNone) => {
    const { app, read } = await openAccount()
    await app.send('POST', '/_control/settings', { hubId: enterpriseHubId, openAnswers: { countOfNone } })
    expect((await read()).slice(0, 2)).toEqual([countOfNone, countOfNone])
  },
)

it('says when an activity was last logged', async () => {
  const { app, id, read } = await openAccount()
  expect((await read())[2]).toBeNull()
  app.clock.now += 60_000
  await control(app, 'log-activity', { type: 'companies', id })
  expect((await read()).slice(2)).toEqual(['2026-10-01T12:01:00.000Z', '2026-10-01T12:00:00.000Z'])
})

it.each(names)('lets no caller write %s', async (name) => {
  const { app, id } = await openAccount()
  const refused = await app.call('PATCH', `${companies}/${id}`, { properties: { [name]: '1' } })
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'READ_ONLY_VALUE'])
})

it('shows deals only to those who may read them', async () => {
  const { app, addDeal } = await openAccount()
  await addDeal('Seats')
  expect((await app.call('GET', '/crm/objects/2026-09/deals')).status).toBe(403)
})
