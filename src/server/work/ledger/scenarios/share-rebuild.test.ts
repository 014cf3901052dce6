import { expect, it, onTestFinished } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, stageImport } from '#test/import/stage-import.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import { takeCustomersDue } from '../../../store/ledger/due-customers.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { knownAtOf, rebuildDue } from '../rebuild-events.ts'

it('a rebuild passes over customers that another process holds, and takes them up when that one dies', async () => {
  const stage = await stageImport({ world: generatedWorld(16) })
  onTestFinished(() => stage.close())
  await stage.importAll()
  const { db, deps, organizationId } = stage
  const before = await stage.dump()
  await query(db.ownerUrl, 'update customers set is_rebuild_due = true')
  await query(db.ownerUrl, 'delete from events')
  await recountLists(db.ownerUrl, organizationId)
  const { claim } = await stage.start()
  const due = () =>
    query<{ id: string }>(db.ownerUrl, 'select id from customers where is_rebuild_due order by id')
  const all = await due()
  const taken = Promise.withResolvers<string[]>()
  const killed = Promise.withResolvers<never>()
  const other = inOrganization(deps.database, organizationId, async (tenant) => {
    const due = await takeCustomersDue(tenant, { after: null, limit: 3, waits: false })
    taken.resolve(due.map(({ id }) => id).sort())
    await killed.promise
  }).catch((error: unknown) => error)
  const held = await taken.promise
  const done = rebuildDue(
    { deps, claim, signal: new AbortController().signal },
    knownAtOf({ created_at: deps.now() }, { clockAt: null }),
  )
  await expect.poll(due).toEqual(held.map((id) => ({ id })))
  killed.reject(new Error('killed'))
  await Promise.all([done, other])
  expect(all.length).toBeGreaterThan(held.length)
  expect(await due()).toEqual([])
  const eventsIn = ({ events = [] }: Record<string, unknown[]>) =>
    events.map((event) => (event as { id: string }).id)
  expect(eventsIn(await stage.dump())).toEqual(eventsIn(before))
})
