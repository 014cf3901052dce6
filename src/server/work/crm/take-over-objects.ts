import type { Deps } from '../../deps.ts'
import type { CrmComparison } from '../../providers/crm.ts'
import { Refusal } from '../../refusal.ts'
import { listCrmObjects, saveCrmObject } from '../../store/crm/crm-objects.ts'
import { forgetKind } from '../../store/crm/crm-repairs.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { hasConverted } from '../../store/reporting/conversions.ts'
import { type CrmObjectsState, ensureObjects, isRecognized, stateOf } from './ensure-crm-objects.ts'
import { type CrmSession, withCrm } from './with-crm.ts'

/** An object of our name in the portal beside ours. `isOurs`: we made it, or a person confirmed it before. */
export type ComparedObject = CrmComparison & { name: string; label: string; isOurs: boolean }

/** Says how the objects that stand in the portal differ from ours. Writes nothing. */
export function checkObjects(deps: Deps, organizationId: number): Promise<ComparedObject[]> {
  return withCrm(deps, organizationId, (session) => compare(deps, organizationId, session))
}

async function compare(
  deps: Deps,
  organizationId: number,
  { access }: CrmSession,
): Promise<ComparedObject[]> {
  const { known, isConverted } = await inOrganization(deps.database, organizationId, async (tenant) => ({
    known: await listCrmObjects(tenant, access.portalId),
    isConverted: await hasConverted(tenant),
  }))
  return (await deps.crm.compareObjects(access, isConverted)).map((compared) => ({
    ...compared,
    ...deps.crm.describeObject(compared.kind),
    isOurs: compared.objectTypeId !== null && isRecognized(compared, known),
  }))
}

/**
 * A person confirms objects that somebody else made, each by its name and id. Looks at them once more, refuses what does
 * not fit or is not what the person saw, and then adds what they lack.
 */
export function takeOverObjects(
  deps: Deps,
  organizationId: number,
  confirmed: readonly { name: string; objectTypeId: string }[],
): Promise<CrmObjectsState> {
  return withCrm(deps, organizationId, async (session) => {
    const compared = await compare(deps, organizationId, session)
    const wanted = confirmed.map((one) => findConfirmed(deps, compared, one))
    await inOrganization(deps.database, organizationId, async (tenant) => {
      for (const { kind, objectTypeId, isOurs } of wanted) {
        if (isOurs) continue
        const row = { kind, objectTypeId, state: 'missing' as const, reason: null, advice: null }
        await saveCrmObject(tenant, session.access.portalId, row, deps.now())
        // What was pushed to an earlier object of this name is not in this one.
        await forgetKind(tenant, session.access.portalId, kind)
      }
    })
    return stateOf(deps, (await ensureObjects(deps, organizationId, session)).rows, session.scopes)
  })
}

function findConfirmed(
  { crm }: Deps,
  compared: readonly ComparedObject[],
  confirmed: { name: string; objectTypeId: string },
): ComparedObject {
  const found = compared.find(({ name }) => name === confirmed.name)
  if (found?.objectTypeId !== confirmed.objectTypeId) {
    throw new Refusal('conflict', `The objects in ${crm.name} have changed since. Check again.`)
  }
  const blocking = found.differences.filter(({ effect }) => effect === 'blocks')
  if (blocking.length === 0) return found
  const what = blocking.map(({ property, text }) => (property === null ? text : `${property} ${text}`))
  throw new Refusal(
    'conflict',
    `${found.name} does not fit yet. Correct this, then check again: ${what.join(' ')}`,
  )
}
