import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { writeCounted } from '../totals/list-totals.ts'
import { nameAnew } from './crm-index.ts'
import { followTies } from './crm-merges.ts'

/**
 * Moves matches, rules and decisions from merged records to the remaining record, and associations too, as the CRM did.
 * Returns the customers whose match moved.
 */
export async function followMerge(
  tenant: Tenant,
  portalId: string,
  column: 'company_record_id' | 'contact_record_id',
  merges: readonly { recordId: string; mergedIds: readonly string[] }[],
): Promise<string[]> {
  const pairs = merges.flatMap(({ recordId, mergedIds }) =>
    mergedIds.filter((from) => from !== recordId).map((from) => ({ from, to: recordId })),
  )
  if (pairs.length === 0) return []
  const given = sql`jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as given ("from" text, "to" text)`
  const ofPortal = sql`organization_id = ${tenant.organizationId} and portal_id = ${portalId}`
  if (column === 'company_record_id') {
    await sql`
      update match_rules set company_record_id = given."to" from ${given}
       where ${ofPortal} and company_record_id = given."from"`.execute(tenant.sql)
    // An undo compares the match with what was decided, and restores what was before.
    for (const decided of ['company_record_id', 'company_before']) {
      await sql`
        update match_decisions set ${sql.ref(decided)} = given."to" from ${given}
         where ${ofPortal} and ${sql.ref(decided)} = given."from"`.execute(tenant.sql)
    }
  }
  const { rows } = await sql<{ customerId: string }>`
    update matches set ${sql.ref(column)} = given."to", revision = revision + 1
      from ${given}
     where ${ofPortal} and ${sql.ref(column)} = given."from"
    returning customer_id as "customerId"`.execute(tenant.sql)
  // Remove merged records now: the next look would otherwise treat them as deleted.
  const merged = pairs.map(({ from }) => from)
  const index = column === 'company_record_id' ? 'crm_companies' : 'crm_contacts'
  await sql`delete from ${sql.table(index)} where ${ofPortal} and record_id = any(${merged}::text[])`.execute(
    tenant.sql,
  )
  if (column === 'company_record_id') {
    const survivors = pairs.map(({ to }) => to)
    await nameAnew(tenant, portalId, survivors)
  }
  await followTies(tenant, portalId, column === 'company_record_id' ? 'company' : 'contact', pairs)
  return rows.map(({ customerId }) => customerId)
}

/**
 * After a look that started at `lookedFrom`, unlinks customers whose company left the index, with different evidence
 * for people's choices and a run's results. Later decisions stay. Returns the customers.
 */
export async function releaseGoneCompanies(
  tenant: Tenant,
  portalId: string,
  lookedFrom: Date,
  at: Date,
): Promise<string[]> {
  const which = sql<boolean>`known.portal_id = ${portalId} and known.state = 'linked'
    and known.company_record_id is not null and known.updated_at < ${lookedFrom}
    and not exists (select from crm_companies i
                     where i.organization_id = known.organization_id and i.portal_id = known.portal_id
                       and i.record_id = known.company_record_id)`
  const statement = sql`
    update matches as known set state = 'pending', company_record_id = null, revision = revision + 1, updated_at = ${at},
                         evidence = case evidence when 'person' then 'choice_gone' else 'company_gone' end
     where known.organization_id = ${tenant.organizationId} and ${which}`
  const released = { which, statement, returned: ['customer_id'] }
  const rows = await writeCounted<{ customer_id: string }>(tenant, 'matches', released)
  return rows.map((row) => row.customer_id)
}

/**
 * The same for contacts. A deleted contact is not created again for the address that it had been found by, which need no
 * longer be the customer's.
 */
export async function releaseGoneContacts(
  tenant: Tenant,
  portalId: string,
  lookedFrom: Date,
  problem: string,
): Promise<string[]> {
  const { rows } = await sql<{ customerId: string }>`
    update matches m set contact_record_id = null, contact_problem = ${problem},
                         contact_problem_email = coalesce(m.contact_for, c.email), revision = m.revision + 1
      from customers c
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and c.organization_id = m.organization_id and c.id = m.customer_id
       and m.contact_record_id is not null and m.updated_at < ${lookedFrom}
       and not exists (select from crm_contacts i
                        where i.organization_id = m.organization_id and i.portal_id = m.portal_id
                          and i.record_id = m.contact_record_id)
    returning m.customer_id as "customerId"`.execute(tenant.sql)
  return rows.map(({ customerId }) => customerId)
}
