import { type ApiContext, requireScope } from '../caller.ts'
import { HubspotError, missingScopes } from '../errors.ts'
import type { SchemaRefusal } from '../options.ts'

const writeScope = 'crm.schemas.custom.write'

/** HubSpot answers a missing plan like a missing scope; further refusals are switched on for each account. */
export function requireSchemaChange(c: ApiContext): void {
  const { portal, isKey } = c.get('caller')
  requireScope(c.get('caller'), writeScope)
  if (portal.tier !== 'enterprise') throw missingScopes([writeScope])
  const refusal = (isKey ? portal.schemaRefusals?.key : portal.schemaRefusals?.app) ?? null
  if (refusal !== null) throw refusalFor(refusal)
}

/** The words for a missing approval are HubSpot's own about scopes that are closed to the public; those for a plan are ours. */
function refusalFor(refusal: SchemaRefusal): HubspotError {
  if (refusal === 'scope') return missingScopes([writeScope])
  const message =
    refusal === 'plan'
      ? 'Your account does not have access to this feature.'
      : "The scope needed for this API call isn't available for public use. If you have questions, contact support or post in our developer forum."
  return new HubspotError(403, { message, category: refusal === 'plan' ? 'BANNED' : 'MISSING_SCOPES' })
}
