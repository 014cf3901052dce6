import type { AuditAction } from '#domain/audit.ts'
import { type Database, inOrganization } from '../postgres/database.ts'
import { type Actor, recordAudit } from './audit.ts'
import { listMemberships } from './organizations.ts'

/** Writes a line about a person's own account into the log of each of their organizations. */
export async function recordForPerson(database: Database, actor: Actor, action: AuditAction): Promise<void> {
  for (const { id } of await listMemberships(database, actor.userId)) {
    await inOrganization(database, id, (tenant) => recordAudit(tenant, actor, { action }))
  }
}
