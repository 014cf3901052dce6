import { sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/**
 * An organization or account that was deleted. After a restore of an older backup, the id alone could belong to
 * another one.
 */
export type Deletion = { kind: 'organization' | 'account'; subjectId: number; createdAt: Date }

/**
 * Deletes the organization with all its rows and the waiting invitation mails; sessions lose it as active
 * organization. Only a line without names remains.
 */
export async function deleteOrganizationRow(tenant: Tenant, crmRevoked: boolean | null): Promise<void> {
  const { organizationId } = tenant
  await sql`
    delete from outbox
     where invitation_id in (select id from invitation where "organizationId" = ${organizationId})`.execute(
    tenant.sql,
  )
  await sql`
    update session set "activeOrganizationId" = null where "activeOrganizationId" = ${String(organizationId)}`.execute(
    tenant.sql,
  )
  await sql`
    insert into deletions (kind, subject_id, subject_created_at, crm_revoked)
    select 'organization', id, "createdAt", ${crmRevoked}::boolean from "organization" where id = ${organizationId}
    on conflict do nothing`.execute(tenant.sql)
  await tenant.sql.deleteFrom('organization').where('id', '=', organizationId).execute()
}

/**
 * Deletes the account with its sessions and memberships, and removes it from the organizations' activity logs, under its
 * earlier addresses too, unless another account has or had one.
 */
export function deleteUserRow(database: Database, user: { id: number; email: string }): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const { id, email } = user
    await sql`
      select forget_person(${id}::integer, address)
        from (select ${email}::text as address union all
              select email from former_addresses f
               where user_id = ${id} and not exists (select from "user" u where u.email = f.email)
                 and not exists (select from former_addresses o
                                  where o.email = f.email and o.user_id <> ${id})) addresses`.execute(
      transaction,
    )
    await transaction.deleteFrom('outbox').where('recipient', '=', email).execute()
    // Mails that tell others about this person's actions must still arrive.
    await sql`
      update outbox set body = regexp_replace(body, mention_of(${email}), 'Somebody whose account is deleted', 'gi')
       where body ~* mention_of(${email})`.execute(transaction)
    await transaction.deleteFrom('invitation').where('email', '=', email).execute()
    await transaction.deleteFrom('sign_ups').where('email', '=', email.toLowerCase()).execute()
    await sql`
      delete from verification where value = ${String(id)} or value ~* mention_of(${email})`.execute(
      transaction,
    )
    await sql`
      insert into deletions (kind, subject_id, subject_created_at)
      select 'account', id, "createdAt" from "user" where id = ${id} on conflict do nothing`.execute(
      transaction,
    )
    await transaction.deleteFrom('user').where('id', '=', id).execute()
  })
}

/** All deletions of organizations and accounts. */
export async function listDeletions(database: Database): Promise<Deletion[]> {
  const rows = await database
    .selectFrom('deletions')
    .select(['kind', 'subject_id', 'subject_created_at'])
    .orderBy('deleted_at')
    .execute()
  return rows.map((row) => ({
    kind: row.kind === 'account' ? 'account' : 'organization',
    subjectId: row.subject_id,
    createdAt: row.subject_created_at,
  }))
}

/** Whether something deleted exists again, as after the restore of an older backup. */
export async function findDeleted(
  database: Database,
  { kind, subjectId, createdAt }: Deletion,
): Promise<{ id: number; email: string } | undefined> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, ${kind === 'account' ? sql`email` : sql`''`} as email
      from ${kind === 'account' ? sql`"user"` : sql`"organization"`}
     where id = ${subjectId} and date_trunc('milliseconds', "createdAt") = ${createdAt}`.execute(database)
  return rows[0]
}
