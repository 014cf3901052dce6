import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

/** What an operator watches of the whole installation. */
export type OperationFigures = {
  /** Connections that wait for a person, because the provider no longer accepts their key or token. */
  refusedConnections: { provider: string; connections: number }[]
  /** null: never. */
  lastBackupAt: Date | null
  isOutboundHeld: boolean
}

export async function readOperationFigures(database: Database): Promise<OperationFigures> {
  // A transaction, because the current organization is a setting that lasts until one ends.
  return database.transaction().execute(async (transaction) => {
    const refused = await sql<{ provider: string; connections: number }>`
      select provider, connections from refused_connections()`.execute(transaction)
    const backup = await transaction.selectFrom('last_backup').select('completed_at').executeTakeFirst()
    const held = await transaction.selectFrom('outbound_hold').select('held_since').executeTakeFirst()
    return {
      refusedConnections: refused.rows,
      lastBackupAt: backup?.completed_at ?? null,
      isOutboundHeld: held !== undefined,
    }
  })
}
