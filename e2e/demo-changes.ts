import { run } from '#test/query.ts'
import { demo } from '../tools/demo.ts'
import type { SharedWorld } from './shared-world.ts'

/** What leaves the demo organization as it was. */
const harmless = ['signed_in', 'signed_out', 'operator_read']

/** What people did to the demo organization so far, oldest first, by its own audit log. */
export async function demoChanges({ superuserUrl }: SharedWorld): Promise<string[]> {
  const rows = await run<{ action: string }>(
    superuserUrl,
    `select action from audit_log join organization on organization.id = audit_log.organization_id
      where organization.name = $1 and action <> all($2) order by audit_log.id`,
    [demo.organizationName, harmless],
  )
  return rows.map(({ action }) => action)
}
