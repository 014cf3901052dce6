import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#contract/endpoint.ts'
import { dropAudit, recordAudit, settleAudit } from '../store/accounts/audit.ts'
import type { Tenant } from '../store/postgres/database.ts'
import type { Context } from './context.ts'

type LineOfCall = {
  /** Reads the state that the call changes. */
  standing?: (tenant: Tenant) => Promise<unknown>
  /** Says what the line is about. */
  subject?: (tenant: Tenant) => string | null | Promise<string | null>
}

/**
 * Writes the line of the activity log before the change begins and its outcome after it, so that a crash leaves a
 * trace. If `standing` shows that nothing changed, the line is deleted: unchanged saves would hide real ones.
 */
export async function withAudit<T>(
  context: Context,
  { audit }: Pick<Endpoint, 'audit'>,
  change: () => T | Promise<T>,
  { standing, subject }: LineOfCall = {},
): Promise<T> {
  if (audit === null || audit === 'none' || audit === 'in_work') return change()
  const { actor } = context
  const begun = await context.inOrganization(async (tenant) => ({
    line: await recordAudit(tenant, actor, {
      action: audit,
      subject: (await subject?.(tenant)) ?? null,
      outcome: 'begun',
    }),
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
