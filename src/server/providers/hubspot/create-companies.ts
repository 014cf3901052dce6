import type { CrmCompanyDraft, CrmCompanyOutcome, CrmPort } from '../crm.ts'
import type { CrmAccess, CrmCompany } from '../crm-directory.ts'
import type { HubspotClient } from './client.ts'
import { companyOf, companyProperties } from './companies-and-contacts.ts'
import { companyKey } from './company-key.ts'
import { readRecords } from './read-records.ts'
import { companyTypeId, paths } from './version.ts'
import { type BatchRow, writeBatch } from './write-batch.ts'

/**
 * Creates companies and overwrites none. Existing keys are looked up first. If somebody creates the same key in
 * between, HubSpot refuses ours, because keys are unique, and the existing company is then found.
 */
export function createCompanyCalls(call: HubspotClient): Pick<CrmPort, 'createCompanies'> {
  const findByKey = async (access: CrmAccess, keys: readonly string[]): Promise<Map<string, CrmCompany>> => {
    if (keys.length === 0) return new Map()
    const batch = { ids: keys, idProperty: companyKey, properties: companyProperties }
    const companies = (await readRecords(call, access, companyTypeId, batch)).map(companyOf)
    return new Map(
      companies.flatMap((company) => (company.createdFor ? [[company.createdFor, company]] : [])),
    )
  }
  return {
    async createCompanies(access, companies) {
      const standing = await findByKey(access, keysOf(companies))
      const wanted = companies.filter(({ key }) => !standing.has(key))
      const written = await writeBatch(
        call,
        access,
        {
          path: paths.objectBatch(companyTypeId, 'create'),
          typeId: companyTypeId,
          keyProperty: companyKey,
          isUpsert: false,
        },
        wanted.map(toRow),
      )
      // A company that HubSpot does not show was refused, or another company has its key.
      const unmade = written.filter((one) => one.state !== 'written' || one.updatedAt === undefined)
      for (const [key, company] of await findByKey(access, keysOf(unmade))) standing.set(key, company)
      return [
        ...[...standing].map(([key, company]): CrmCompanyOutcome => ({ key, state: 'found', company })),
        ...written.flatMap((outcome): CrmCompanyOutcome[] => {
          const { key } = outcome
          if (standing.has(key)) return []
          return [
            outcome.state === 'written' ? { key, state: 'created', recordId: outcome.recordId } : outcome,
          ]
        }),
      ]
    },
  }
}

function toRow({ key, domain, name }: CrmCompanyDraft, position: number): BatchRow {
  const traceId = `${position}`
  const properties = { [companyKey]: key, name, ...(domain !== null && { domain }) }
  const input = { properties, associations: [], objectWriteTraceId: traceId }
  return { key, traceId, properties, isNew: true, input }
}

const keysOf = (rows: readonly { key: string }[]) => rows.map(({ key }) => key)
