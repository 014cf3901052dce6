import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run, type TestDatabase } from '#test/database.ts'
import { createInstallationFigures } from './installation-figures.ts'
import { installQueues } from './jobs/install-queues.ts'
import { createMetrics } from './metrics.ts'
import { noteBackup } from './store/installation/last-backup.ts'
import { openDatabase } from './store/postgres/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
  await installQueues(db.databaseUrl)
  await run(
    db.ownerUrl,
    `insert into organization (name, slug, "createdAt") values ('A', 'a', now()), ('B', 'b', now())`,
  )
})
afterAll(() => db.close())

/** Every line of the metrics that begins with this name. */
async function read(name: string, database = db.database): Promise<string[]> {
  const metrics = createMetrics()
  metrics.watchInstallation(createInstallationFigures(database, () => performance.now()))
  const { text } = await metrics.render()
  return text.split('\n').filter((line) => line.startsWith(name))
}
const numberOf = (line: string | undefined) => Number(line?.split(' ').at(-1))

describe('the metrics of an installation', () => {
  it('tell how long the oldest due job has waited, and count no later, running or ended one', async () => {
    const add = (state: string, seconds: number) =>
      run(
        db.ownerUrl,
        `insert into pgboss.job (name, state, start_after) values ('push', $1, now() - make_interval(secs => $2))`,
        [state, seconds],
      )
    expect(await read('tributary_queue_due_jobs{queue="push"}')).toEqual([
      'tributary_queue_due_jobs{queue="push"} 0',
    ])
    await add('created', 120)
    await add('retry', 60)
    await add('created', -600)
    await add('active', 900)
    await add('completed', 900)
    expect(numberOf((await read('tributary_queue_due_jobs{queue="push"}'))[0])).toBe(2)
    const [oldest] = await read('tributary_queue_oldest_due_seconds{queue="push"}')
    expect(numberOf(oldest)).toBeGreaterThanOrEqual(120)
    expect(numberOf(oldest)).toBeLessThan(900)
    expect(numberOf((await read('tributary_queue_oldest_due_seconds{queue="import"}'))[0])).toBe(0)
  })

  it('count the connections of all organizations that a provider no longer accepts', async () => {
    for (const id of [1, 2])
      await run(
        db.ownerUrl,
        `insert into connections (organization_id, provider, sealed_secret, warning)
           values ($1, 'crm', 'x', 'Token needs refresh'), ($1, 'payments', 'x', null)`,
        [id],
      )
    expect(await read('tributary_connections_refused')).toEqual([
      'tributary_connections_refused{provider="payments"} 0',
      'tributary_connections_refused{provider="crm"} 2',
    ])
  })

  it('tell when the last backup was complete, and whether calls are off', async () => {
    expect(await read('tributary_last_backup_timestamp_seconds')).toEqual([
      'tributary_last_backup_timestamp_seconds 0',
    ])
    await noteBackup(db.databaseUrl)
    await noteBackup(db.databaseUrl)
    const [at] = await read('tributary_last_backup_timestamp_seconds')
    expect(Math.abs(numberOf(at) - Date.now() / 1_000)).toBeLessThan(300)
    expect(await read('tributary_outbound_held')).toEqual(['tributary_outbound_held 0'])
    await run(db.ownerUrl, 'insert into outbound_hold default values')
    expect(await read('tributary_outbound_held')).toEqual(['tributary_outbound_held 1'])
  })

  it('show no old figures while the database is away', async () => {
    const url = 'postgresql://nobody:secret@127.0.0.1:1/nothing'
    const away = openDatabase({ url, poolSize: 1, statementTimeoutMs: 1_000, onError: () => {} })
    const lines = await read('tributary_', away)
    expect(lines.filter((line) => /_(?:up|queue|refused|backup|held)/.test(line))).toEqual([
      'tributary_database_up 0',
    ])
    await away.destroy()
  })

  it('count how long a connection was waited for', async () => {
    const waits: number[] = []
    const database = openDatabase({
      ...{ url: db.url, poolSize: 1, statementTimeoutMs: 30_000, onError: () => {} },
      onConnection: (seconds) => waits.push(seconds),
    })
    const [held, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = database.connection().execute(() => {
      held.resolve()
      return hold.promise
    })
    await held.promise
    const second = database.selectFrom('organization').select('id').execute()
    const askedAt = performance.now()
    await new Promise((done) => setTimeout(done, 100))
    const heldSeconds = (performance.now() - askedAt) / 1_000
    hold.resolve()
    await Promise.all([first, second])
    expect(waits).toHaveLength(2)
    expect(waits[1]).toBeGreaterThan(heldSeconds / 2)
    await database.destroy()
  })
})
