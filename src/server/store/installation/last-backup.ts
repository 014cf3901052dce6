import { onTables } from './as-owner.ts'

/** Notes, as the owner, that a backup is complete. A database that lacks the table, before `migrate`, notes nothing. */
export async function noteBackup(ownerUrl: string): Promise<void> {
  await onTables(ownerUrl, 'tributary backup', async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.last_backup') is not null as exists`,
    )
    if (rows[0]?.exists !== true) return
    await client.query(`insert into last_backup default values
      on conflict (is_only) do update set completed_at = excluded.completed_at`)
  })
}
