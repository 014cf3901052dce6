import { expect, it } from 'vitest'
import { newDatabase, run as query } from '#test/database.ts'
import { forgetTimesAhead } from './times-ahead.ts'

it('the queue goes on after the clock was put back, and keeps what is delayed', async () => {
  const db = await newDatabase()
  const ahead = `now() + interval '2 days'`
  await query(db.ownerUrl, `update pgboss.version set cron_on = ${ahead}`)
  await query(db.ownerUrl, `update pgboss.queue set monitor_claim_on = ${ahead}, maintain_on = ${ahead}`)
  await query(
    db.ownerUrl,
    `insert into pgboss.job (name, state, singleton_key, created_on, start_after, started_on, heartbeat_on) values
       ('import', 'created', 'of a clock ahead', ${ahead}, ${ahead}, null, null),
       ('import', 'created', 'delayed', now(), now() + interval '1 hour', null, null),
       ('import', 'active', 'of a dead worker', now(), now(), ${ahead}, ${ahead})`,
  )
  await forgetTimesAhead(db.database)
  const left = await query(
    db.ownerUrl,
    `select 'version' as of from pgboss.version where cron_on > now()
     union all
     select 'queue' from pgboss.queue where greatest(monitor_claim_on, monitor_on, maintain_on) > now()
     union all
     select singleton_key from pgboss.job where greatest(start_after, started_on, heartbeat_on) > now()`,
  )
  expect(left).toEqual([{ of: 'delayed' }])
  await db.close()
})
