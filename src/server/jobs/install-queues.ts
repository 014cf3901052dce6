import { PgBoss } from 'pg-boss'
import { applicationRoleOf } from '../store/installation/application-role.ts'
import { asOwner } from '../store/installation/as-owner.ts'
import { queueSchema, queues, scheduleQueue, schedules } from './queues.ts'

/** An arbitrary lock number that all processes share: one installs while the others wait. */
const installLock = 740_112_002

/**
 * Installs or updates the job queues as the database's owner, and grants the application role their use only.
 * Several processes may call it at once, any number of times.
 */
export async function installQueues(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, 'tributary migrate', async (client) => {
    const boss = new PgBoss({
      connectionString: ownerUrl,
      schema: queueSchema,
      max: 2,
      supervise: false,
      schedule: false,
    })
    boss.on('error', () => {})
    try {
      await client.query('select pg_advisory_lock($1)', [installLock])
      await boss.start()
      for (const queue of queues) {
        const { name, policy, ...options } = queue
        const exists = await boss.getQueue(name)
        if (exists) await boss.updateQueue(name, options)
        else await boss.createQueue(name, { ...options, ...(policy !== undefined && { policy }) })
      }
      for (const [key, cron] of Object.entries(schedules))
        await boss.schedule(scheduleQueue, cron, { name: key }, { key, tz: 'UTC' })
      const applicationRole = client.escapeIdentifier(await applicationRoleOf(client))
      await client.query(`
      grant usage on schema ${queueSchema} to ${applicationRole};
      grant select, insert, update, delete on all tables in schema ${queueSchema} to ${applicationRole};
      grant usage, select on all sequences in schema ${queueSchema} to ${applicationRole};
      grant execute on all functions in schema ${queueSchema} to ${applicationRole};
    `)
    } finally {
      await boss.stop({ graceful: false })
    }
  })
}
