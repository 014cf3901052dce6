import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { findErasure, noteDeletedInCrm } from '../../store/erasure/erasures.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { withCrm } from '../crm/with-crm.ts'
import type { ActingMember } from '../organization/change-members.ts'

/**
 * Asks the CRM to delete an erased person's contact permanently, and renames a company that was created only for this
 * person to the pseudonym. May be repeated after an interruption.
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
    if (companyRecordId !== null) await deps.crm.renameCompany(access, companyRecordId, pseudonym)
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
