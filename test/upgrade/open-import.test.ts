import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { connectPayments } from '#server/work/connections/connect-payments.ts'
import { run as query } from '../database.ts'
import {
  demoKey,
  generatedWorld,
  type ImportStage,
  stageImport,
  withLongInvoice,
} from '../import/stage-import.ts'

const stages: ImportStage[] = []
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())))

const read = (name: string) => readFileSync(`db/migrations/${name}`, 'utf8')
const [oldTable = ''] = /create table run_slices \([\s\S]*?\n\);/.exec(read('0001_schema.sql')) ?? []
const migration = read('0002_import_windows.sql')
const newTables = ['import_plans', 'import_windows', 'import_objects']

/** Brings the database back to how the release before kept an open import, and then up to date. */
async function upgrade({ db }: ImportStage): Promise<void> {
  const windows = `
    insert into run_slices
      select organization_id, run_id, id, 1, cursor_id, done_count, is_done, jsonb_build_object(
               'kind', kind, 'from', created_from, 'until', created_until, 'cursorAt', cursor_at, 'oldestAt', oldest_at,
               'isListed', all_pages_read, 'rest', (
                 select coalesce(jsonb_agg(jsonb_build_object('id', id, 'customerId', customer)), '[]')
                   from unnest(incomplete_ids, incomplete_customer_ids) as rest (id, customer))),
             holder, lease_until
        from import_windows`
  const objects = `
    insert into run_slices
      select organization_id, run_id, 'changed:' || kind, 2, null, count(*) filter (where is_found),
             bool_and(is_found is not null), jsonb_build_object(
               'kind', kind, 'next', count(is_found), 'ids', jsonb_agg(id order by is_found desc nulls last, id)), null, null
        from import_objects group by organization_id, run_id, kind`
  const plans = `
    insert into run_slices
      select organization_id, run_id, 'plan', 0, null, 0, true, jsonb_build_object('plan', jsonb_build_object(
               'isFull', is_full, 'areCustomersRead', are_customers_read, 'eventsUntil', events_until, 'clockAt', clock_at)),
             null, null
        from import_plans`
  const back = [oldTable, windows, objects, plans, ...newTables.map((table) => `drop table ${table}`)]
  for (const statement of back) await query(db.ownerUrl, statement)
  await query(db.ownerUrl, migration)
  const role = decodeURIComponent(new URL(db.url).username)
  await query(db.ownerUrl, `grant select, insert, update, delete on ${newTables.join(', ')} to "${role}"`)
}

const rowsOf = async ({ db }: ImportStage) => ({
  plans: await query(
    db.ownerUrl,
    `select to_jsonb(p) - 'figures_stand' as row from import_plans p order by 1`,
  ),
  windows: await query(
    db.ownerUrl,
    `select to_jsonb(w) - 'holder' - 'lease_until' as row from import_windows w order by 1`,
  ),
  objects: await query(db.ownerUrl, 'select to_jsonb(o) as row from import_objects o order by 1'),
})

async function fresh(world: ReturnType<typeof generatedWorld>) {
  const stage = await stageImport({ world })
  stages.push(stage)
  await stage.importAll()
  return stage.dump()
}

it('an import that is open when the database is brought up to date goes on where it was', async () => {
  const { world, id } = withLongInvoice(generatedWorld(8))
  const killed = new AbortController()
  const asked: string[] = []
  let invoicePages = 0
  const stage = await stageImport({
    world,
    pageSize: 10,
    around: (fetch) => async (request) => {
      asked.push(request.url)
      const isLines = request.url.includes(`/v1/invoices/${id}/lines`)
      const isPage = request.url.includes('/v1/invoices?')
      if (isPage) invoicePages += 1
      if (!killed.signal.aborted && (isLines || (isPage && invoicePages > 4))) {
        const others = `select 1 from import_windows where not is_done and kind <> 'invoices'`
        await expect.poll(() => query(stage.db.ownerUrl, others)).toEqual([])
        killed.abort(new Error('killed'))
      }
      return fetch(request)
    },
  })
  stages.push(stage)
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const begun = await stage.start()
  await expect(stage.work(begun, killed.signal)).rejects.toThrow('killed')
  const before = await rowsOf(stage)
  await upgrade(stage)
  expect(await rowsOf(stage)).toEqual(before)
  asked.length = 0
  expect(await stage.work(await stage.claim(begun.run.id))).toMatchObject({ status: 'completed' })
  expect(asked.filter((url) => /\/v1\/(customers|subscriptions|products)\?/.test(url))).toEqual([])
  expect(await stage.dump()).toEqual(await fresh(world))
})

it('objects that an open import fetches by id are kept, fetched or not', async () => {
  const stage = await stageImport({ world: generatedWorld(3) })
  stages.push(stage)
  await stage.importAll()
  const { run } = await stage.start()
  await query(
    stage.db.ownerUrl,
    `insert into import_objects (organization_id, run_id, kind, id, is_found)
     select $1, $2, 'invoices', id, is_found
       from (values ('in_a', true), ('in_b', false), ('in_c', null)) as given (id, is_found)`,
    [stage.organizationId, run.id],
  )
  const { objects } = await rowsOf(stage)
  await upgrade(stage)
  expect((await rowsOf(stage)).objects).toEqual(objects)
})
