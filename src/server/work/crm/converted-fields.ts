import { convertedFields } from '#domain/reporting/crm-converted.ts'
import type { Deps } from '../../deps.ts'
import type { CrmObject } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { CrmObjectRow } from '../../store/crm/crm-objects.ts'
import { writeKindAgain } from '../../store/crm/crm-repairs.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { scopeObstacle } from './object-obstacles.ts'
import type { CrmSession } from './with-crm.ts'

type Found = {
  row: CrmObjectRow
  /** What was found before; undefined for an object that could not be seen. */
  object: CrmObject | undefined
  /** Whether the organization converts amounts. */
  isConverted: boolean
}

/**
 * The converted fields that records of an object have. Adds those that it lacks if the organization converts amounts;
 * where they stand, they are kept true, whatever it does by now. `lacking` says what is left out, for people.
 */
export async function ensureConverted(
  deps: Deps,
  organizationId: number,
  session: CrmSession,
  { row, object, isConverted }: Found,
): Promise<{ fields: string[]; lacking: string[] }> {
  const { kind, objectTypeId } = row
  if (row.state !== 'ready' || objectTypeId === null) return { fields: [], lacking: [] }
  const { usable, missing } = object?.converted ?? { usable: [], missing: convertedFields[kind] }
  const { added, reason } = await addMissing(deps, session, row, isConverted ? missing : [])
  if (added.length > 0)
    await inOrganization(deps.database, organizationId, (tenant) =>
      // A property that somebody deleted comes back without values.
      writeKindAgain(tenant, session.access.portalId, kind),
    )
  const fields = convertedFields[kind].filter((field) => [...usable, ...added].includes(field))
  if (!isConverted || fields.length === convertedFields[kind].length) return { fields, lacking: [] }
  const { label } = deps.crm.describeObject(kind)
  const why = reason ?? 'A property of that name has another type.'
  return {
    fields,
    lacking: [
      `${label} in ${deps.crm.name} cannot show every amount in the reporting currency. ${why} Their records are synced without it; Create by hand says which properties are missing.`,
    ],
  }
}

/** Stops at the first refusal, because the next one would be refused for the same reason. */
async function addMissing(
  deps: Deps,
  session: CrmSession,
  { kind, objectTypeId }: CrmObjectRow,
  missing: readonly string[],
): Promise<{ added: string[]; reason: string | null }> {
  const added: string[] = []
  if (missing.length === 0 || objectTypeId === null) return { added, reason: null }
  const obstacle = scopeObstacle(deps, session)
  if (obstacle !== null) return { added, reason: obstacle.reason }
  for (const field of missing) {
    try {
      await deps.crm.addFields(session.access, kind, objectTypeId, [field])
      added.push(field)
    } catch (error) {
      const isRefused = error instanceof ProviderError && ['forbidden', 'rejected'].includes(error.kind)
      if (!isRefused) throw error
      return { added, reason: error.message }
    }
  }
  return { added, reason: null }
}
