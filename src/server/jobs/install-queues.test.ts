import { afterEach, beforeEach, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { installQueues } from './install-queues.ts'
import { schedules } from './queues.ts'

let db: TestDatabase
beforeEach(async () => {
  db = await newDatabase()
})
afterEach(() => db.close())

it('may be installed again, also by two at once, and keeps one of each', async () => {
  await Promise.all([installQueues(db.databaseUrl), installQueues(db.databaseUrl)])
  expect(
    await query(
      db.ownerUrl,
      `select name, policy, heartbeat_seconds from pgboss.queue where name not like '\\_\\_%' order by 1`,
    ),
  ).toEqual([
    { name: 'assist', policy: 'exclusive', heartbeat_seconds: 10 },
    { name: 'import', policy: 'exclusive', heartbeat_seconds: 10 },
    { name: 'push', policy: 'exclusive', heartbeat_seconds: 10 },
    { name: 'recount', policy: 'exclusive', heartbeat_seconds: 10 },
    { name: 'schedule', policy: 'standard', heartbeat_seconds: null },
  ])
  const kept = await query<{ key: string; cron: string }>(db.url, 'select key, cron from pgboss.schedule')
  expect(Object.fromEntries(kept.map(({ key, cron }) => [key, cron]))).toEqual(schedules)
})

it('lets the application use the queues and not change their making', async () => {
  await expect(query(db.url, 'drop table pgboss.schedule')).rejects.toThrow(/must be owner/)
  await expect(query(db.url, 'create table pgboss.more (id int)')).rejects.toThrow(/permission denied/)
})
