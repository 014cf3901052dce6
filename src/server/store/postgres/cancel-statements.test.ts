import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newDatabase, run as query } from '#test/database.ts'
import { cancelStatements } from './database.ts'

it('ends what is running in the pool, and nothing else in the database', async () => {
  const db = await newDatabase()
  try {
    const ours = sql`select pg_sleep(20) as ours`.execute(db.database).catch((error: unknown) => error)
    const theirs = query(db.url, 'select pg_sleep(2) as theirs')
    const sleeping = () =>
      query(
        db.ownerUrl,
        `select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`,
      )
    await expect.poll(sleeping).toHaveLength(2)
    await cancelStatements(db.database)
    expect(await ours).toMatchObject({ code: '57014' })
    await expect(theirs).resolves.toHaveLength(1)
  } finally {
    await db.close()
  }
})
