import type { CrmAccess } from '../../crm-directory.ts'
import { schemasAnswer } from '../answers.ts'
import type { HubspotClient } from '../client.ts'
import { paths } from '../version.ts'
import type { StandingSchema } from './inspect-schema.ts'

/** The custom objects of a portal without deleted ones. Only this list is reliable; reads of one object lag behind. */
export async function listSchemas(call: HubspotClient, access: CrmAccess): Promise<StandingSchema[]> {
  const { results } = await call(access, { method: 'GET', path: paths.schemas, answer: schemasAnswer })
  return results.filter(({ archived }) => archived !== true)
}
