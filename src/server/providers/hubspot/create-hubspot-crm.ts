import { providerNames } from '#domain/provider-names.ts'
import type { CrmPort } from '../crm.ts'
import { createAssociationCalls } from './associations.ts'
import { createClient, type HubspotOptions } from './client.ts'
import { createPeopleCalls } from './companies-and-contacts.ts'
import { createCompanyKeyCalls } from './company-key.ts'
import { createCompanyCalls } from './create-companies.ts'
import { createRateCalls } from './currencies/exchange-rates.ts'
import { createOauth } from './oauth.ts'
import { createRecordCalls } from './records.ts'
import { createAmountCalls } from './schemas/amounts.ts'
import { createCompareCalls } from './schemas/compare-objects.ts'
import { createObjectCalls } from './schemas/object-calls.ts'
import { createDirectoryCalls } from './search.ts'
import { createKeyCalls } from './service-key.ts'
import { createStandingCalls } from './standing-records.ts'
import { planObjects } from './to-hubspot/object-plan.ts'
import { limits } from './version.ts'

/** HubSpot as the CRM. `fetch`, clock and waiting are handed in; addresses come without a trailing slash. */
export function createHubspotCrm(options: HubspotOptions): CrmPort {
  const call = createClient(options)
  return {
    name: providerNames.crm,
    limits,
    ...createOauth(options, call),
    ...createKeyCalls(options),
    ...createRateCalls(call),
    ...createObjectCalls(call),
    ...createCompareCalls(call),
    ...createAmountCalls(call),
    planObjects,
    ...createCompanyKeyCalls(call),
    ...createCompanyCalls(call),
    ...createRecordCalls(call),
    ...createPeopleCalls(call),
    ...createStandingCalls(call),
    ...createAssociationCalls(call),
    ...createDirectoryCalls(call),
  }
}
