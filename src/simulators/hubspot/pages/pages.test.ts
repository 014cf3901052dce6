import { expect, it } from 'vitest'
import { connect, createOrders } from '../test-client.ts'

it('leads from the accounts over the list to a record and on to its ties', async () => {
  const app = await connect()
  const orders = await createOrders(app)
  const create = async (type: string, properties: object) =>
    (await app.call('POST', `/crm/objects/2026-09/${type}`, { properties })).body
  const company = await create('companies', { name: '<b>Acme</b>' })
  const order = await create(orders, { order_key: 'k', title: 'First order' })
  await app.call(
    'PUT',
    `/crm/objects/2026-09/${orders}/${order.id}/associations/default/companies/${company.id}`,
  )

  const overview = await app.send('GET', '/')
  expect(overview.body).toContain('Simulated HubSpot')
  expect(overview.body).toContain(`href="/contacts/24180001/objects/${orders}"`)
  const list = await app.send('GET', `/contacts/24180001/objects/${orders}`)
  expect(list.body).toContain('First order')
  const page = await app.send('GET', new URL(order.url).pathname)
  expect(page.status).toBe(200)
  expect(page.body).toContain('Order key')
  expect(page.body).toContain(`href="${new URL(company.url).pathname}"`)
  expect(page.body).toContain('&lt;b&gt;Acme&lt;/b&gt;')
  expect(page.body).not.toContain('<b>Acme</b>')
})

it('says so when there is no such record or account', async () => {
  const app = await connect()
  expect((await app.send('GET', '/contacts/24180001/record/0-1/1')).status).toBe(404)
  expect((await app.send('GET', '/contacts/1/objects/0-1')).status).toBe(404)
})
