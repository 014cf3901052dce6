import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../postgres/database.ts'

/**
 * The time since which this installation sends nothing to Stripe, HubSpot and the mail server; undefined if it may.
 */
export async function findOutboundHold(database: Database): Promise<Date | undefined> {
  const row = await database.selectFrom('outbound_hold').select('held_since').executeTakeFirst()
  return row?.held_since
}

/** Whether its table is as this version made it, so that a row in it means the same to a newer version. */
export async function isHoldAsKnown(database: Database): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
     where attrelid = to_regclass('public.outbound_hold') and attnum > 0 and not attisdropped
     order by attnum`.execute(database)
  return rows.map(({ name }) => name).join() === 'only_one,held_since'
}

/** Turns all calls to providers and mail servers off for this installation, as in a restored copy. */
export async function holdOutbound(database: Database): Promise<void> {
  await sql`insert into outbound_hold default values on conflict do nothing`.execute(database)
}

/** The same within the owner's transaction that restores a backup. */
export async function holdOutboundAs(owner: pg.Client): Promise<void> {
  await owner.query('insert into outbound_hold default values on conflict do nothing')
}

/** Turns calls on again. */
export async function allowOutbound(database: Database): Promise<void> {
  await database.deleteFrom('outbound_hold').execute()
}
