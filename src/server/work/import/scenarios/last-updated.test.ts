import { expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { daySeconds, dayZero, lastHour, movingAccount } from '#test/import/moving-account.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { listSubscriptions } from '../../../store/lists/subscription-list.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

const pageSize = 10

/** The ids of the first page as people open the list. */
const firstPage = (stage: ImportStage) =>
  inOrganization(stage.deps.database, stage.organizationId, async (tenant) => {
    const query = { page: 1, limit: pageSize, search: '', sort: 'updatedAt', order: 'desc' } as const
    return (await listSubscriptions(tenant, query)).subscriptions.map(({ id }) => id)
  })

/** All ids by their last change in the account, latest first. */
async function byLastChange({ db }: ImportStage): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db.ownerUrl,
    `select id from subscriptions s
      order by greatest(created_at, to_timestamp((body ->> 'endedAt')::bigint),
                        (select max(occurred_at) from events e where e.subscription_id = s.id)) desc, id`,
  )
  return rows.map(({ id }) => id)
}

it('after a first import the list begins with what changed last, then with what an import changes', async () => {
  const worldAt = movingAccount(11, 14)
  const stage = await stageImport({ world: worldAt(dayZero) })
  try {
    const first = await stage.importAll()
    const all = await byLastChange(stage)
    expect(all.length).toBeGreaterThan(pageSize)
    expect(await firstPage(stage)).toEqual(all.slice(0, pageSize))
    expect(first).toMatchObject({ changed_subscriptions: all.length })

    const at = dayZero + 20 * daySeconds
    stage.simulator.setWorld(worldAt(at))
    await stage.work(await stage.start(lastHour(at)))
    const rows = await query<{ id: string }>(
      stage.db.ownerUrl,
      'select id from subscriptions where updated_at = $1 order by id',
      [stage.deps.now()],
    )
    const changed = rows.slice(0, pageSize).map(({ id }) => id)
    expect(changed.length).toBeGreaterThan(0)
    expect((await firstPage(stage)).slice(0, changed.length)).toEqual(changed)
    expect(all.slice(0, changed.length)).not.toEqual(changed)
  } finally {
    await stage.close()
  }
})
