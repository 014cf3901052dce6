import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { noteErrors } from './run-lines.ts'

/** A figure that does not add up, in words for the people who read the run. */
export type RecordedFault = { sourceId: string | null; message: string }

/** Adds only errors that the run does not have yet, so that a repeated attempt adds nothing. */
export async function addRunFaults(
  tenant: Tenant,
  runId: string,
  faults: readonly RecordedFault[],
  at: Date,
): Promise<void> {
  if (faults.length === 0) return
  await sql`
    insert into run_errors (organization_id, run_id, source_id, message, created_at)
    select ${tenant.organizationId}, ${runId}, given ->> 'sourceId', given ->> 'message', ${at}
      from jsonb_array_elements(${storableJson(faults)}::jsonb) with ordinality as listed (given, place)
     where not exists (
       select from run_errors e
        where e.organization_id = ${tenant.organizationId} and e.run_id = ${runId}
          and e.source_id is not distinct from given ->> 'sourceId' and e.message = given ->> 'message')
     order by place`.execute(tenant.sql)
  await noteErrors(tenant, runId)
}
