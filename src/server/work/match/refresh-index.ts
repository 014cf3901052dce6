import { normalizeEmail } from '#domain/company.ts'
import type { CrmPage } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { forgetUnlisted, saveCompanies, saveContacts } from '../../store/crm-index.ts'
import { followMerge } from '../../store/matches.ts'
import { companyDomains } from './domains.ts'
import type { MatchSession } from './session.ts'

/** Ends a listing whose cursor leads in a circle. */
const pagesMax = 50_000

/**
 * Reads all companies and contacts of the portal from its lists, which lag behind nothing, and forgets what they no
 * longer hold. Matches of records that were merged follow the merge.
 */
export async function refreshIndex(session: MatchSession): Promise<void> {
  const { deps, access, write } = session
  const { portalId } = access
  const listedFrom = deps.now()

  await eachPage(
    session,
    (after) => deps.crm.listCompanies(access, after),
    async (rows) => {
      const companies = rows.map(({ recordId, name, domains }) => ({
        recordId,
        name,
        ...companyDomains(domains),
      }))
      await write(async (tenant) => {
        await saveCompanies(tenant, portalId, companies, listedFrom)
        await followMerge(tenant, portalId, 'company_record_id', rows)
      })
    },
  )
  await write((tenant) => forgetUnlisted(tenant, portalId, 'crm_companies', listedFrom))

  await eachPage(
    session,
    (after) => deps.crm.listContacts(access, after),
    async (rows) => {
      const contacts = rows.map(({ recordId, emails, companyRecordIds }) => ({
        recordId,
        emails: emails.flatMap((email) => normalizeEmail(email) ?? []),
        companyRecordIds,
      }))
      await write(async (tenant) => {
        await saveContacts(tenant, portalId, contacts, listedFrom)
        await followMerge(tenant, portalId, 'contact_record_id', rows)
      })
    },
  )
  await write((tenant) => forgetUnlisted(tenant, portalId, 'crm_contacts', listedFrom))
}

async function eachPage<Row>(
  { deps }: MatchSession,
  list: (after: string | null) => Promise<CrmPage<Row>>,
  save: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const listed: CrmPage<Row> = await list(after)
    await save(listed.rows)
    if (listed.after === null) return
    after = listed.after
  }
  throw new ProviderError('unavailable', `${deps.crm.name} does not come to the end of a list.`)
}
