import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { packLists } from '../../../store/lists/pack-lists.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const secret = 'Harbour Nine'
const named = { customer_name: secret, customer_email: 'kim@harbour-nine.example' }
const redacted = { customer_name: '[redacted]', customer_email: '[Redacted]' }

/**
 * The small account with a customer and its invoice of that name and address, and an invoice of a deleted
 * customer.
 */
function accountOf(texts: typeof named): SimulatedWorld {
  const world = smallWorld()
  const its = { name: texts.customer_name, email: texts.customer_email }
  return {
    ...world,
    customers: world.customers.map((one) => (one.id === 'cus_one' ? { ...one, ...its } : one)),
    invoices: world.invoices.map((one) => ({
      ...one,
      ...(one.id === 'in_one' && texts),
      ...(one.id === 'in_loose' && { ...texts, customer: 'cus_gone' }),
    })),
  }
}

/** All stored data of the organization's account, from every table. */
async function everything({ db }: ImportStage): Promise<string> {
  const tables = ['customers', 'invoices', 'subscriptions', 'customer_texts', 'events', 'matches']
  const parts = tables.map((table) => `select jsonb_agg(t)::text as rows from ${table} t`)
  const rows = await query<{ rows: string | null }>(db.ownerUrl, parts.join(' union all '))
  return rows.map((row) => row.rows).join('\n')
}

it('takes what was redacted for no name and no address', async () => {
  stage = await stageImport({ world: accountOf(redacted) })
  await stage.importAll()
  const who = ['cus_gone', 'cus_one'].map((id) => ({ id, name: null, email: null, domain: null }))
  expect(
    await query(
      stage.db.ownerUrl,
      'select id, name, email, domain from customers where id = any($1) order by id',
      [who.map(({ id }) => id)],
    ),
  ).toEqual(who)
  expect(await everything(stage)).not.toMatch(/\[redacted\]/i)
})

it('erases what was saved while its customer was being erased', async () => {
  stage = await stageImport({ world: accountOf(named) })
  await stage.importAll()
  const rows = `select (select lines::text from invoices where id = 'in_one') as lines,
                       (select body::text from subscriptions where id = 'sub_one') as body`
  const [before] = await query<{ lines: string; body: string }>(stage.db.ownerUrl, rows)
  stage.simulator.setWorld(accountOf(redacted))
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
  const erased = await query(stage.db.ownerUrl, rows)
  expect(erased).not.toEqual([before])
  // A page that was on its way writes the texts back after the erasure.
  await query(stage.db.ownerUrl, `update invoices set lines = $1::json where id = 'in_one'`, [before?.lines])
  await query(stage.db.ownerUrl, `update subscriptions set body = $1::jsonb where id = 'sub_one'`, [
    before?.body,
  ])
  await stage.work(await stage.start({ mode: 'window', from: new Date(), until: new Date() }))
  expect(await query(stage.db.ownerUrl, rows)).toEqual(erased)
})

it('erases every copy when it is read again, also of a customer that was deleted and of what lists are searched by', async () => {
  stage = await stageImport({ world: accountOf(named) })
  await stage.importAll()
  const before = await query(stage.db.ownerUrl, 'select id from customers where name = $1 order by id', [
    secret,
  ])
  expect(before).toEqual([{ id: 'cus_gone' }, { id: 'cus_one' }])
  await inOrganization(stage.db.database, stage.organizationId, (tenant) => packLists(tenant, 'add_up'))
  expect(await everything(stage)).toContain(secret)
  stage.simulator.setWorld(accountOf(redacted))
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
  expect(await everything(stage)).not.toMatch(/harbour|\[redacted\]/i)
  // Search still finds the customers beside the redacted one.
  const texts = await query<{ texts: string }>(stage.db.ownerUrl, 'select texts from customer_texts')
  expect(texts.map((row) => row.texts).join('\n')).toContain('cus_two@example.com')
})
