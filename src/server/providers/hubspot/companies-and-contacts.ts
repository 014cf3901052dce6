import type { CompanyFacts } from '#domain/company.ts'
import type { CrmPort } from '../crm.ts'
import type { CrmAccess, CrmCompany, CrmContact } from '../crm-directory.ts'
import type { CrmPage } from '../crm-standing.ts'
import { instantIn, type ListedRecord, listAnswer, listIn, type RecordAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { companyKey } from './company-key.ts'
import { nextAfter } from './read-records.ts'
import { readTies } from './standing-pairs.ts'
import { companyTypeId, contactTypeId, limits, listPageSize, paths } from './version.ts'

type PeopleCalls = Pick<CrmPort, 'listCompanies' | 'listContacts'>

/**
 * The properties of HubSpot's own companies that we read. The owner is missing: a company holds its id alone, and the
 * name takes crm.objects.owners.read, which we do not ask for.
 */
export const companyProperties = [
  'name',
  'domain',
  'hs_additional_domains',
  'website',
  'hs_merged_object_ids',
  'createdate',
  'num_associated_contacts',
  'num_associated_deals',
  // HubSpot's "Last Activity Date".
  'notes_last_updated',
  companyKey,
]
/** The same of contacts. */
export const contactProperties = ['email', 'hs_additional_emails', 'hs_merged_object_ids']

/** Reads HubSpot's own companies and contacts page by page. */
export function createPeopleCalls(call: HubspotClient): PeopleCalls {
  return {
    async listCompanies(access, after) {
      const query = { properties: companyProperties.join(',') }
      const page = await listPage(call, access, companyTypeId, after, query)
      return { after: page.after, rows: page.rows.map(companyOf) }
    },
    async listContacts(access, after) {
      const query = { properties: contactProperties.join(','), associations: 'companies' }
      const page = await listPage(call, access, contactTypeId, after, query)
      const cut = new Set(page.rows.filter(isCut).map(({ id }) => id))
      const companiesById = await readCompaniesOf(call, access, [...cut])
      return {
        after: page.after,
        rows: page.rows.map((record) =>
          contactOf(record, cut.has(record.id) ? companiesById(record.id) : listedCompanies(record)),
        ),
      }
    },
  }
}

export function companyOf(record: RecordAnswer): CrmCompany {
  return {
    recordId: record.id,
    name: record.properties?.['name'] || null,
    domains: [record.properties?.['domain'] ?? '', ...listIn(record, 'hs_additional_domains')].filter(
      Boolean,
    ),
    website: record.properties?.['website'] || null,
    createdFor: record.properties?.[companyKey] || null,
    facts: factsOf(record),
    mergedIds: listIn(record, 'hs_merged_object_ids'),
  }
}

/** A value of another form than HubSpot documents counts as not given. */
function factsOf({ properties = {} }: RecordAnswer): CompanyFacts {
  return {
    createdAt: instantIn(properties['createdate']),
    contactCount: countIn(properties['num_associated_contacts']),
    dealCount: countIn(properties['num_associated_deals']),
    lastActivityAt: instantIn(properties['notes_last_updated']),
  }
}

function countIn(text: string | null | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : null
}

/** The companies of a contact, and the one that HubSpot calls primary. */
export type ContactCompanies = Pick<CrmContact, 'companyRecordIds' | 'primaryCompanyId'>

export function contactOf(record: RecordAnswer, companies: ContactCompanies): CrmContact {
  return {
    recordId: record.id,
    emails: [record.properties?.['email'] ?? '', ...listIn(record, 'hs_additional_emails')].filter(Boolean),
    ...companies,
    mergedIds: listIn(record, 'hs_merged_object_ids'),
  }
}

/** In lists HubSpot names an association by its label, and lists a primary company a second time without one. */
const primaryInLists = 'contact_to_company'

function listedCompanies({ associations = {} }: ListedRecord): ContactCompanies {
  const ties = Object.values(associations).flatMap(({ results }) => results)
  return {
    companyRecordIds: [...new Set(ties.map(({ id }) => id))],
    primaryCompanyId: ties.find(({ type }) => type === primaryInLists)?.id ?? null,
  }
}

/** Whether the list of a record's associations ends before the last one. */
function isCut({ associations = {} }: ListedRecord): boolean {
  return Object.values(associations).some(({ paging }) => paging?.next !== undefined)
}

/** The companies of contacts, by contact. */
export async function readCompaniesOf(
  call: HubspotClient,
  access: CrmAccess,
  contactIds: readonly string[],
): Promise<(contactId: string) => ContactCompanies> {
  const found = new Map<string, ContactCompanies>()
  for (let start = 0; start < contactIds.length; start += limits.pairsPerRead) {
    const ids = contactIds.slice(start, start + limits.pairsPerRead)
    for (const [id, ties] of await readTies(call, access, contactTypeId, companyTypeId, ids)) {
      found.set(id, {
        companyRecordIds: [...new Set(ties.map(({ recordId }) => recordId))],
        primaryCompanyId: ties.find(({ isPrimary }) => isPrimary)?.recordId ?? null,
      })
    }
  }
  return (id) => found.get(id) ?? { companyRecordIds: [], primaryCompanyId: null }
}

async function listPage(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  after: string | null,
  query: Record<string, string>,
): Promise<CrmPage<ListedRecord>> {
  const answer = await call(access, {
    method: 'GET',
    path: paths.objects(typeId),
    query: { limit: String(listPageSize), ...query, ...(after !== null && { after }) },
    answer: listAnswer,
  })
  const asked = { method: 'GET', path: paths.objects(typeId) }
  return { rows: answer.results, after: nextAfter(after, answer.paging?.next?.after, asked) }
}
