import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listSyncHistory } from '#contract/sync.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { addRun } from '#test/store/seed.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findOwedImport } from '../../store/runs/owed-push.ts'
import { addRunChanges } from '../../store/runs/run-changes.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'
import { type RunsPlace, readRunsOnwards } from '../../store/runs/run-list.ts'
import { cancelRuns, endRun, type RunStart, startRun } from '../../store/runs/runs.ts'
import { endHint } from '../../work/runs/give-way.ts'

type History = ResponseOf<typeof listSyncHistory>

let world: TestWorld
let person: Person
beforeEach(async () => {
  world = await newWorld({ account: generatedWorld(8) })
  person = await world.person()
})
afterEach(() => world.close())

const history = async (search = ''): Promise<History> =>
  (await person.fetch(`/api/sync/history${search}`)).json()

async function runOnce(path: string, body?: object): Promise<string> {
  const answer = await person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  const { importId } = await answer.json()
  await world.drain()
  return importId
}

describe('Sync History', () => {
  it('says who started a run, what it changed, and which import a sync carries on', async () => {
    await person.connectStripe()
    await person.connectHubspot()
    const imported = await runOnce('/api/import/historical')
    const pushed = await runOnce('/api/sync/push-all', { follows: imported })
    const again = await runOnce('/api/sync/push-all')
    const { histories } = await history()
    expect(histories.map(({ id }) => id)).toEqual([again, pushed, imported])
    const end = "update runs set completed_at = '2026-12-01T01:00:00Z' where id = $1"
    await query(world.ownerUrl, end, [again])
    const lastSyncDate = async () => (await (await person.fetch('/api/sync/status')).json()).lastSyncDate
    const [{ at } = { at: '' }] = await query<{ at: string }>(
      world.ownerUrl,
      `select to_json(completed_at at time zone 'utc') #>> '{}' as at from runs where id = $1`,
      [pushed],
    )
    const whenPushed = new Date(`${at}Z`).toISOString()
    expect(await lastSyncDate(), 'a sync without changes wrote no record').toBe(whenPushed)
    await query(world.ownerUrl, `update organization_settings set forgotten_push_id = $1`, [again])
    expect(Date.parse(await lastSyncDate()), 'a reset leaves the records').toBeLessThanOrEqual(
      Date.parse(whenPushed),
    )
    await query(world.ownerUrl, 'update organization_settings set forgotten_push_id = null')
    const [third, second, first] = histories
    const [{ name } = { name: '' }] = await query<{ name: string }>(
      world.ownerUrl,
      'select name from "user" where id = $1',
      [person.userId],
    )
    expect(first?.startedBy).toEqual({ kind: 'person', name })
    expect(second?.startedBy).toEqual({ kind: 'import', name })
    expect(second?.follows?.id).toBe(imported)
    expect(first?.followedBy?.id).toBe(pushed)
    expect(third).toMatchObject({ follows: null, startedBy: { kind: 'person' } })

    const [rows] = await query<{ subscriptions: number; events: number; links: number }>(
      world.ownerUrl,
      `select (select count(*)::int from subscriptions where quantity is not null) as subscriptions,
              (select count(*)::int from events) as events,
              (select count(*)::int from crm_associations where state = 'confirmed') as links`,
    )
    expect(first?.changes).toEqual({ ...rows, links: 0, companies: 0, contacts: 0 })
    expect(second?.changes).toMatchObject(rows ?? {})
    expect(second?.changes?.contacts).toBeGreaterThan(0)
    expect(third?.changes).toEqual({ subscriptions: 0, events: 0, links: 0, companies: 0, contacts: 0 })
    const details = await (await person.fetch(`/api/sync/import-status/${pushed}`)).json()
    expect(details).toMatchObject({ follows: { id: imported }, changes: rows })
  })

  it('leaves out runs without changes, so that its total counts what is shown, and says how many', async () => {
    await person.connectStripe()
    await person.connectHubspot()
    await runOnce('/api/import/historical')
    await runOnce('/api/sync/push-all')
    await runOnce('/api/sync/push-all')
    await runOnce('/api/import/historical')
    const hidden = await history('?unchanged=hide&limit=1')
    expect(hidden.pagination).toEqual({ total: 2, totalPages: 2 })
    expect(hidden.hiddenCount).toBe(2)
    expect((await history()).pagination.total).toBe(4)
    expect(await history('?unchanged=hide&type=sync')).toMatchObject({
      pagination: { total: 1 },
      hiddenCount: 1,
    })
    expect(await history('?type=import&status=failed')).toMatchObject({ pagination: { total: 0 } })
    expect((await person.fetch('/api/sync/history?status=done')).status).toBe(400)
  })

  it('finds the runs with errors and those of some days, and counts them', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 10, day, 23, 59))
    await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
      await addRun(tenant, { id: 'fine', kind: 'push', status: 'completed', at: at(1) })
      await addRun(tenant, { id: 'refused', kind: 'push', status: 'completed', at: at(2) })
      await addRun(tenant, { id: 'broken', kind: 'import', status: 'failed', at: at(3) })
      await addRun(tenant, { id: 'told', kind: 'push', status: 'completed', at: at(4) })
      await tenant.sql.updateTable('runs').set({ failed_records: 1 }).where('id', '=', 'refused').execute()
      await addRunErrors(tenant, 'told', [{ sourceId: null, message: 'No contact.' }], at(4))
    })
    const ids = async (search: string) => {
      const { histories, pagination } = await history(search)
      expect(pagination.total).toBe(histories.length)
      return histories.map(({ id }) => id)
    }
    expect(await ids('?errors=with')).toEqual(['told', 'broken', 'refused'])
    expect(await ids('?errors=with&type=sync&startedTo=2026-11-03')).toEqual(['refused'])
    expect(await ids('?startedFrom=2026-11-02&startedTo=2026-11-03')).toEqual(['broken', 'refused'])
    const file = await (await person.fetch('/api/csv/sync-history?errors=with')).text()
    expect(file.trimEnd().split('\r\n')).toHaveLength(4)
    for (const search of ['?errors=without', '?startedFrom=2026-02-30'])
      expect((await person.fetch(`/api/sync/history${search}`)).status).toBe(400)
  })

  it('never leaves out a run that told an error', async () => {
    const { database } = world.deps
    const at = world.now()
    await inOrganization(database, person.organizationId, async (tenant) => {
      await addRun(tenant, { id: 'told', kind: 'push', status: 'in_progress', at })
      await tenant.sql
        .updateTable('runs')
        .set({ changed_subscriptions: 0, changed_events: 0, changed_links: 0 })
        .execute()
      await addRunErrors(tenant, 'told', [{ sourceId: null, message: 'No contact was created.' }], at)
    })
    const claim = { organizationId: person.organizationId, runId: 'told', attempt: 0 }
    await endRun(database, claim, { status: 'completed', message: '', at })
    expect(await history('?unchanged=hide')).toMatchObject({ hiddenCount: 0, pagination: { total: 1 } })
  })

  it('leaves out a run whose place another took before it changed anything', async () => {
    await person.connectStripe()
    const { organizationId } = person
    for (const [id, links] of [
      ['idle', 0],
      ['linked', 1],
    ] as const)
      await inOrganization(world.deps.database, organizationId, async (tenant) => {
        await startRun(tenant, { id, kind: 'push', options: { isHint: true }, at: world.now() })
        await addRunChanges(tenant, id, { links })
        await endHint(tenant, world.now())
      })
    const { histories, hiddenCount } = await history('?unchanged=hide')
    expect([histories.map(({ id }) => id), hiddenCount]).toEqual([['linked'], 1])
  })

  it('lists an import that changed customers alone', async () => {
    await person.connectStripe()
    await runOnce('/api/import/historical')
    const { customers, ...others } = world.stripe.world
    const [first] = customers
    world.stripe.setWorld({
      ...others,
      customers: customers.map((one) => (one === first ? { ...one, name: 'Harbor Light' } : one)),
    })
    const renamed = await runOnce('/api/import/historical')
    const { histories, hiddenCount } = await history('?unchanged=hide')
    expect(histories[0]).toMatchObject({ id: renamed, changes: { subscriptions: 0, events: 0, links: 0 } })
    expect(hiddenCount).toBe(0)
  })

  it.each(['completed', 'failed', 'cancelled'] as const)(
    'lists an import without changes that a %s sync names',
    async (status) => {
      const { database } = world.deps
      const { organizationId } = person
      const at = world.now()
      const claimOf = (runId: string) => ({ organizationId, runId, attempt: 0 })
      const end = { message: '', at }
      const begin = (id: string, kind: 'import' | 'push', start?: RunStart) =>
        inOrganization(database, organizationId, (tenant) =>
          startRun(tenant, { id, kind, options: {}, at, start }),
        )
      await begin('idle', 'import')
      await endRun(database, claimOf('idle'), { ...end, status: 'completed' })
      expect(await history('?unchanged=hide')).toMatchObject({ hiddenCount: 1 })
      await begin('next', 'push', { by: 'import', followsRunId: 'idle' })
      await inOrganization(database, organizationId, async (tenant) => {
        if (status === 'cancelled') await cancelRuns(tenant, at, 'Canceled.')
        else await addRunChanges(tenant, 'next', { links: status === 'completed' ? 1 : 0 })
      })
      if (status !== 'cancelled') await endRun(database, claimOf('next'), { ...end, status })
      expect(await history('?unchanged=hide')).toMatchObject({ hiddenCount: 0, pagination: { total: 2 } })
    },
  )

  it('is read onwards by place, whatever starts meanwhile, and by the microsecond', async () => {
    const { organizationId } = person
    const at = Date.parse('2026-05-01T00:00:00Z')
    const read = (behind: RunsPlace | null) =>
      inOrganization(world.deps.database, organizationId, (tenant) =>
        readRunsOnwards(tenant, { kind: 'push' }, { behind, limit: 2 }),
      )
    await inOrganization(world.deps.database, organizationId, async (tenant) => {
      for (const id of ['a', 'b', 'c', 'd', 'e'])
        await addRun(tenant, { id, kind: 'push', status: 'completed', at: new Date(at) })
      await addRun(tenant, { id: 'import', kind: 'import', status: 'completed', at: new Date(at) })
    })
    await query(
      world.ownerUrl,
      `update runs set created_at = created_at + (ascii(id) - 96) * interval '1 microsecond' where kind = 'push'`,
    )
    const first = await read(null)
    await inOrganization(world.deps.database, organizationId, (tenant) =>
      addRun(tenant, { id: 'f', kind: 'push', status: 'completed', at: new Date(at + 60_000) }),
    )
    const second = await read(first.next)
    const third = await read(second.next)
    expect([first, second, third].map(({ runs }) => runs.map(({ id }) => id))).toEqual([
      ['e', 'd'],
      ['c', 'b'],
      ['a'],
    ])
    expect(third.next).toBeNull()
    const file = await (await person.fetch('/api/csv/sync-history?type=sync')).text()
    expect(
      file
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['f', 'e', 'd', 'c', 'b', 'a'].map((id) => `"${id}"`))
  })

  it('lets a sync follow a completed import of its own organization only', async () => {
    await person.connectStripe()
    await person.connectHubspot()
    const imported = await runOnce('/api/import/historical')
    const stranger = await world.person()
    await stranger.connectStripe()
    await stranger.connectHubspot()
    await expect(stranger.post('/api/sync/push-all', { follows: imported })).rejects.toThrow('404')
    const pushed = await runOnce('/api/sync/push-all')
    await query(world.ownerUrl, `update runs set status = 'failed' where id = $1`, [imported])
    for (const follows of [pushed, imported])
      await expect(person.post('/api/sync/push-all', { follows })).rejects.toThrow('400')
    expect(
      await inOrganization(world.deps.database, stranger.organizationId, (tenant) =>
        findOwedImport(tenant, world.now()),
      ),
    ).toBeUndefined()
  })
})
