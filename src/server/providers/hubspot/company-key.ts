import type { CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { propertiesAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError } from './hubspot-error.ts'
import { addProperty } from './schemas/object-calls.ts'
import { companyTypeId, paths } from './version.ts'

/**
 * The company property that identifies companies we create. It is unique, so a repeated creation finds the first
 * company.
 */
export const companyKey = 'tributary_domain'

/** HubSpot's maximum of unique properties per object type, not counting its own (properties guide). */
const uniquePropertiesMax = 10
const schemaScope = 'crm.schemas.companies.write'

type CompanyKeyCalls = Pick<CrmPort, 'ensureCompanyKey' | 'findCompanyKeyObstacle'>

export function createCompanyKeyCalls(call: HubspotClient): CompanyKeyCalls {
  return {
    async ensureCompanyKey(access) {
      const { isThere } = await readKey(call, access)
      if (isThere) return
      const isMade = await addProperty(call, access, companyTypeId, {
        name: companyKey,
        label: 'Tributary domain',
        description: 'Domain by which Tributary created this company. Please do not change it.',
        groupName: 'companyinformation',
        type: 'string',
        fieldType: 'text',
        hasUniqueValue: true,
      })
      if (!isMade && !(await readKey(call, access)).isThere) throw unusableKey()
    },
    async findCompanyKeyObstacle(access, scopes) {
      try {
        const { isThere, uniqueCount } = await readKey(call, access)
        if (isThere) return null
        if (!scopes.includes(schemaScope)) return `HubSpot did not grant the permission ${schemaScope}.`
        return uniqueCount < uniquePropertiesMax
          ? null
          : `HubSpot has ${uniqueCount} unique company properties already.`
      } catch (error) {
        if (error instanceof HubspotError && ['rejected', 'forbidden'].includes(error.kind))
          return error.message
        throw error
      }
    },
  }
}

/** Throws when a property of our name would allow the same company twice. */
async function readKey(
  call: HubspotClient,
  access: CrmAccess,
): Promise<{ isThere: boolean; uniqueCount: number }> {
  const { results } = await call(access, {
    method: 'GET',
    path: paths.properties(companyTypeId),
    answer: propertiesAnswer,
  })
  const standing = results.find(({ name }) => name === companyKey)
  if (standing !== undefined && !standing.hasUniqueValue) throw unusableKey()
  const unique = results.filter(({ hasUniqueValue, hubspotDefined }) => hasUniqueValue && !hubspotDefined)
  return { isThere: standing !== undefined, uniqueCount: unique.length }
}

function unusableKey(): HubspotError {
  const message = `HubSpot already has a company property named ${companyKey} that is not unique. Delete or rename it there.`
  return new HubspotError('rejected', message, { status: 409, answer: {} })
}
