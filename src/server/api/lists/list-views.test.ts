import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'

type Insider = Awaited<ReturnType<TestApp['signedIn']>>

let test: TestApp
let mango: Insider
let papaya: Insider
beforeAll(async () => {
  test = await openTestApp()
  mango = await test.signedIn('m@mango.test', 'Mango')
  papaya = await test.signedIn('p@papaya.test', 'Papaya')
})
afterAll(() => test.close())

const list = 'subscriptions'
const viewsOf = async (person: Insider): Promise<{ views: { name: string; query: string }[] }> =>
  JSON.parse((await person.get(`/api/views?list=${list}`)).text)
const save = (person: Insider, name: string, query = 'status=active') =>
  person.post('/api/views/save', { list, name, query })

it('are seen by their owner alone', async () => {
  expect((await save(mango, 'Active ones')).status).toBe(200)
  expect(await viewsOf(mango)).toEqual({ views: [{ name: 'Active ones', query: 'status=active' }] })
  expect(await viewsOf(papaya)).toEqual({ views: [] })
  // A colleague in the same organization has views of their own.
  await run(
    test.db.ownerUrl,
    `insert into list_views (organization_id, user_id, list, name, query)
     select organization_id, (select id from "user" where email = 'p@papaya.test'), list, 'Of a colleague', ''
       from list_views`,
  )
  expect(await viewsOf(mango)).toEqual({ views: [{ name: 'Active ones', query: 'status=active' }] })
})

it('have names of their own, and keep what was typed when a name is taken or empty', async () => {
  await save(mango, 'Churned', 'status=canceled')
  const doubled = await save(mango, 'churned')
  expect([doubled.status, doubled.text]).toEqual([
    409,
    expect.stringContaining("You already have a view called 'churned'. Choose another name."),
  ])
  const rename = (name: string, newName: string) => mango.post('/api/views/rename', { list, name, newName })
  expect((await rename('Churned', 'ACTIVE ONES')).status).toBe(409)
  expect((await rename('Churned', 'CHURNED')).status).toBe(200)
  expect((await rename('Nobody knows it', 'Other')).status).toBe(404)
  expect((await save(mango, '  ')).text).toContain('name: must not be empty')
  const { views } = await viewsOf(mango)
  expect(views.map(({ name }) => name)).toEqual(['Active ones', 'CHURNED'])
})

it('keep another query once it is updated, by their owner alone', async () => {
  const update = (person: Insider, name: string) =>
    person.post('/api/views/update', { list, name, query: 'status=past_due' })
  const updated = await update(mango, 'Active ones')
  expect([updated.status, updated.text]).toEqual([200, expect.stringContaining("Updated 'Active ones'.")])
  expect((await viewsOf(mango)).views[0]).toEqual({ name: 'Active ones', query: 'status=past_due' })
  for (const [person, name] of [
    [mango, 'Of a colleague'],
    [mango, 'active ones'],
    [papaya, 'Active ones'],
  ] as const)
    expect((await update(person, name)).text).toContain(
      `There is no view called '${name}' now: it was renamed or deleted. Choose another one.`,
    )
  const [other] = await run<{ query: string }>(
    test.db.ownerUrl,
    "select query from list_views where name = 'Of a colleague'",
  )
  expect(other?.query).toBe('')
})

it('are gone when they are deleted, and with their owner', async () => {
  expect((await mango.post('/api/views/delete', { list, name: 'CHURNED' })).status).toBe(200)
  expect((await viewsOf(mango)).views).toHaveLength(1)
  await run(test.db.ownerUrl, `delete from "user" where email = 'p@papaya.test'`)
  const [left] = await run<{ n: number }>(test.db.ownerUrl, 'select count(*)::integer as n from list_views')
  expect(left?.n).toBe(1)
})
