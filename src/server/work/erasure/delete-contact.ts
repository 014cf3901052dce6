import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { isCompanyOfOthers } from '../../store/erasure/erase-mentions.ts'
import { findErasure, noteDeletedInCrm } from '../../store/erasure/erasures.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { withCrm } from '../crm/with-crm.ts'
import type { ActingMember } from '../organization/change-members.ts'

/**
 * Asks the CRM to delete an erased person's contact permanently, and gives a company that was created and named for
 * this person the pseudonym, unless it was merged since. May be repeated after an interruption.
 */
export async function deleteErasedContact(deps: Deps, caller: ActingMember, id: string): Promise<void> {
  const { organizationId, actor } = caller
  const erasure = await inOrganization(deps.database, organizationId, (tenant) => findErasure(tenant, id))
  if (!erasure) throw unknownErasure()
  const { crm_portal_id: portalId, pseudonym } = erasure
  const { crm_contact_record_id: contactRecordId, crm_company_record_id: companyRecordId } = erasure
  if (erasure.crm_deleted_at !== null) return
  if (portalId === null) {
    throw new Refusal(
      'conflict',
      `No contact of this person is known in ${deps.crm.name}. Look for it there.`,
    )
  }
  await withCrm(deps, organizationId, async ({ access }) => {
    if (access.portalId !== portalId) {
      throw new Refusal(
        'conflict',
        `The contact is in the ${deps.crm.name} account ${portalId}, which is not connected. Connect it, or look for the contact there.`,
      )
    }
    if (companyRecordId !== null) {
      // The id of a merged company would lead to the one it was merged into, which is somebody else's.
      const [standing] = await deps.crm.readCompanies(access, [companyRecordId])
      if (standing?.recordId === companyRecordId) {
        const keepsDomain = await inOrganization(deps.database, organizationId, (tenant) =>
          isCompanyOfOthers(tenant, portalId, companyRecordId),
        )
        await deps.crm.renameCompany(access, companyRecordId, { name: pseudonym, keepsDomain })
      }
    }
    if (contactRecordId !== null) await deps.crm.deleteContactForGood(access, contactRecordId)
  })
  await inOrganization(deps.database, organizationId, async (tenant) => {
    await noteDeletedInCrm(tenant, id, { portalId, contactRecordId, companyRecordId }, deps.now())
    await recordAudit(tenant, actor, { action: 'contact_deleted', subject: pseudonym })
  })
}

export function unknownErasure(): Refusal {
  return new Refusal('not_found', 'There is no such erasure. Reload the list.')
}
