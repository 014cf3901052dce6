import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

export type AttemptBudget = { key: string; max: number; windowSeconds: number }

/**
 * Spends one attempt in a single statement, so that parallel calls cannot exceed `max`. Returns 0 if the attempt may
 * be made, else the seconds until the budget is full again. All processes share the database's clock.
 */
export async function spendAttempt(database: Database, budget: AttemptBudget): Promise<number> {
  const { rows } = await sql<{ used: number; waitSeconds: number }>`
    insert into attempt_budgets as b (key, used, resets_at)
    values (${budget.key}, 1, current_timestamp + make_interval(secs => ${budget.windowSeconds}))
    on conflict (key) do update set
      used = case when b.resets_at <= current_timestamp then 1 else least(b.used + 1, ${budget.max + 1}) end,
      resets_at = case when b.resets_at <= current_timestamp then excluded.resets_at else b.resets_at end
    returning used, ceil(extract(epoch from resets_at - current_timestamp))::integer as "waitSeconds"`.execute(
    database,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the budget was not counted')
  return row.used <= budget.max ? 0 : Math.max(1, row.waitSeconds)
}

/** Replaces an address in a key, because we should not store everything that people type as an address. */
export function hashOfAddress(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Identifies the mailbox of an address without its tag: 'Pat+1@x.test' and 'pat@x.test' are the same mailbox, as are
 * 'p.at@gmail.com' and 'pat@gmail.com'.
 */
export function hashOfMailbox(email: string): string {
  const [, local = email, host = ''] = /^(.*)@([^@]*)$/s.exec(email.trim().toLowerCase()) ?? []
  const untagged = local.split('+')[0] ?? ''
  const isDotless = host === 'gmail.com' || host === 'googlemail.com'
  return hashOfAddress(`${isDotless ? untagged.replaceAll('.', '') : untagged}@${host}`)
}

/** Restores a budget completely, for example after the right password. */
export async function refreshBudget(database: Database, key: string): Promise<void> {
  await database.deleteFrom('attempt_budgets').where('key', '=', key).execute()
}

/** Deletes budgets whose window has passed, because they are full again. */
export async function forgetOldBudgets(database: Database): Promise<void> {
  await database.deleteFrom('attempt_budgets').where('resets_at', '<', sql<Date>`current_timestamp`).execute()
}
