import { sql } from 'kysely'
import { defaultPolicy, type MrrPolicy } from '#domain/mrr/exact/policy.ts'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'
import { type PolicySwitches, readPolicySwitches } from './policy-switches.ts'
import { beginRecount } from './recounts.ts'

/** How the organization counts MRR: by the rule book's defaults until it chooses otherwise. */
export async function getMrrPolicy(tenant: Tenant): Promise<MrrPolicy> {
  const kept = await tenant.sql
    .selectFrom('mrr_policies')
    .select(['revision', 'switches'])
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!kept) return defaultPolicy
  return { ...readPolicySwitches(kept.switches), revision: kept.revision }
}

// Separates this lock from every other lock in the database.
const lockClass = 0x6d7272

/**
 * Returns the policy in force and keeps it in force until the transaction ends. Each batch of a rebuild needs
 * this lock: a new policy marks customers due but skips those still due, which a batch may just be settling.
 */
export async function holdMrrPolicy(tenant: Tenant): Promise<MrrPolicy> {
  await sql`${prepared} select pg_advisory_xact_lock_shared(${lockClass}::integer, ${tenant.organizationId}::integer)`.execute(
    tenant.sql,
  )
  return getMrrPolicy(tenant)
}

/**
 * Saves the changed switches as a new revision and begins a recount, since every figure may change. Does
 * nothing if no switch differs. Throws a TypeError that names a switch with an invalid value.
 */
export async function updateMrrPolicy(
  tenant: Tenant,
  patch: Partial<PolicySwitches>,
  at: Date,
): Promise<MrrPolicy> {
  await sql`select pg_advisory_xact_lock(${lockClass}::integer, ${tenant.organizationId}::integer)`.execute(
    tenant.sql,
  )
  const { revision, ...before } = await getMrrPolicy(tenant)
  const switches = readPolicySwitches({ ...before, ...patch })
  if (JSON.stringify(switches) === JSON.stringify(readPolicySwitches(before))) return { ...before, revision }
  await sql`
    insert into mrr_policies (organization_id, revision, switches, created_at)
    select ${tenant.organizationId}, coalesce(max(revision), 0) + 1, ${JSON.stringify(switches)}::jsonb, ${at}
      from mrr_policies where organization_id = ${tenant.organizationId}`.execute(tenant.sql)
  await beginRecount(tenant, at)
  return getMrrPolicy(tenant)
}
