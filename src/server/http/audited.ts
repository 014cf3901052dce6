import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#contract/endpoint.ts'
import { dropAudit, recordAudit, settleAudit } from '../store/accounts/audit.ts'
import type { Tenant } from '../store/postgres/database.ts'
import type { Context } from './context.ts'

/**
 * Makes a change together with its line in the activity log. The line is there before the change begins, and says in
 * the end how it came out, so that a process which dies in between leaves a trace and never a change without one. Where
 * `standing` tells what is changed and it is the same afterwards, the line goes: a thousand saves of what is so already
 * would bury what somebody did.
 */
export async function withAudit<T>(
  context: Context,
  { audit }: Pick<Endpoint, 'audit'>,
  change: () => T | Promise<T>,
  standing?: (tenant: Tenant) => Promise<unknown>,
): Promise<T> {
  if (audit === null || audit === 'none' || audit === 'in_work') return change()
  const { actor } = context
  const begun = await context.inOrganization(async (tenant) => ({
    line: await recordAudit(tenant, actor, { action: audit, outcome: 'begun' }),
    before: await standing?.(tenant),
  }))
  const { line, before } = begun
  let answer: T
  try {
    answer = await change()
  } catch (error) {
    await context.inOrganization((tenant) => settleAudit(tenant, line, 'failed')).catch(() => {})
    throw error
  }
  await context.inOrganization(async (tenant) => {
    const isSame = standing !== undefined && isDeepStrictEqual(before, await standing(tenant))
    await (isSame ? dropAudit(tenant, line) : settleAudit(tenant, line, 'done'))
  })
  return answer
}
