import type { Deps } from '../../deps.ts'
import type { CrmAmount, CrmObjectAmounts } from '../../providers/crm-amounts.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { listCrmObjects } from '../../store/crm/crm-objects.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { isRecognized } from './ensure-crm-objects.ts'
import { type CrmSession, withCrm } from './with-crm.ts'

/** How the portal shows the amounts of our objects; without objects before they exist. */
export type AmountsOfPortal = { portalId: string; objects: { label: string; amounts: CrmAmount[] }[] }

/** Asks the portal itself which amounts it shows in their currency; we keep nothing about it. */
export function readAmounts(deps: Deps, organizationId: number): Promise<AmountsOfPortal> {
  return withCrm(deps, organizationId, async (session) =>
    describe(deps, session, await findOurs(deps, organizationId, session)),
  )
}

/**
 * Binds every amount that is a plain number to the currency of its record, after a person has confirmed this for the
 * portal. Leaves other bindings as they are. May be repeated after a part has failed; `problem` says why.
 */
export function bindAmounts(
  deps: Deps,
  organizationId: number,
  confirmedPortalId: string,
): Promise<AmountsOfPortal & { problem: string | null }> {
  return withCrm(deps, organizationId, async (session) => {
    const { name } = deps.crm
    if (session.access.portalId !== confirmedPortalId)
      throw new Refusal('conflict', `Another ${name} account is connected now. Look at it again first.`)
    const before = await findOurs(deps, organizationId, session)
    if (before.length === 0)
      throw new Refusal('conflict', `${name} does not have the custom objects yet. Create them first.`)
    const { isAnyBound, problem } = await bindOpen(deps, session, before)
    if (problem !== null && !isAnyBound) throw problem
    const after = await findOurs(deps, organizationId, session)
    const isOpen = after.some(({ amounts }) => amounts.some(isPlain))
    const unseen = isOpen ? `${name} does not show every change yet. Look again in a minute.` : null
    return { ...describe(deps, session, after), problem: problem?.message ?? unseen }
  })
}

/** Nothing is written to an object of somebody else, so it is left out until a person has confirmed it. */
async function findOurs(
  deps: Deps,
  organizationId: number,
  { access }: CrmSession,
): Promise<CrmObjectAmounts[]> {
  const known = await inOrganization(deps.database, organizationId, (tenant) =>
    listCrmObjects(tenant, access.portalId),
  )
  return (await deps.crm.findAmounts(access)).filter((object) => isRecognized(object, known))
}

const isPlain = ({ boundTo }: CrmAmount) => boundTo === null

/** One refused amount says nothing about the next one; any other failure would meet the next one too. */
async function bindOpen(
  { crm }: Deps,
  { access }: CrmSession,
  objects: readonly CrmObjectAmounts[],
): Promise<{ isAnyBound: boolean; problem: ProviderError | null }> {
  let isAnyBound = false
  let problem: ProviderError | null = null
  const open = objects.flatMap(({ objectTypeId, amounts }) =>
    amounts.filter(isPlain).map((amount) => ({ objectTypeId, amount })),
  )
  for (const { objectTypeId, amount } of open) {
    try {
      await crm.bindAmount(access, objectTypeId, amount)
      isAnyBound = true
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'unauthorized') throw error
      problem ??= error
      if (error.kind !== 'rejected' && error.kind !== 'not_found') break
    }
  }
  return { isAnyBound, problem }
}

function describe(
  { crm }: Deps,
  { access }: CrmSession,
  objects: readonly CrmObjectAmounts[],
): AmountsOfPortal {
  return {
    portalId: access.portalId,
    objects: objects.map(({ kind, amounts }) => ({ label: crm.describeObject(kind).label, amounts })),
  }
}
