import type { Endpoint } from '#contract/endpoint.ts'
import { recordAudit, settleAudit } from '../store/audit.ts'
import type { Context } from './context.ts'

/**
 * Makes a change together with its line in the activity log. The line is there before the change begins, and says in
 * the end how it came out, so that a process which dies in between leaves a trace and never a change without one.
 */
export async function withAudit<T>(
  context: Context,
  { audit }: Pick<Endpoint, 'audit'>,
  change: () => T | Promise<T>,
): Promise<T> {
  if (audit === null || audit === 'none' || audit === 'in_work') return change()
  const { actor } = context
  const line = await context.inOrganization((tenant) =>
    recordAudit(tenant, actor, { action: audit, outcome: 'begun' }),
  )
  const settle = (outcome: 'done' | 'failed') =>
    context.inOrganization((tenant) => settleAudit(tenant, line, outcome))
  let answer: T
  try {
    answer = await change()
  } catch (error) {
    await settle('failed').catch(() => {})
    throw error
  }
  await settle('done')
  return answer
}
