import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

export type AttemptBudget = { key: string; max: number; windowSeconds: number }

/**
 * Spends one attempt of the budget in one statement, so that of any number at once no more than `max` get through.
 * Returns 0 when it may be made, else the seconds until the budget is fresh. The clock is the database's: processes
 * share it.
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

/** What stands for an address in a key: what people type as an address is nothing to keep. */
export function hashOfAddress(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * What stands for the mailbox behind an address, whatever tag it carries: 'Pat+1@x.test' and 'pat@x.test' fill the same
 * one, as do 'p.at@gmail.com' and 'pat@gmail.com'.
 */
export function hashOfMailbox(email: string): string {
  const [, local = email, host = ''] = /^(.*)@([^@]*)$/s.exec(email.trim().toLowerCase()) ?? []
  const untagged = local.split('+')[0] ?? ''
  const isDotless = host === 'gmail.com' || host === 'googlemail.com'
  return hashOfAddress(`${isDotless ? untagged.replaceAll('.', '') : untagged}@${host}`)
}

/** Gives a budget back whole, as after the right password. */
export async function refreshBudget(database: Database, key: string): Promise<void> {
  await database.deleteFrom('attempt_budgets').where('key', '=', key).execute()
}

/** Forgets budgets that are fresh again anyway. */
export async function forgetOldBudgets(database: Database): Promise<void> {
  await database.deleteFrom('attempt_budgets').where('resets_at', '<', sql<Date>`current_timestamp`).execute()
}
