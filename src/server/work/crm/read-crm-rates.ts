import { dayOfDate } from '#domain/instant.ts'
import { dayRatesOfCrm } from '#domain/reporting/crm-rates.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { claimCrmReading, noteCrmReading, requestConversion } from '../../store/reporting/conversions.ts'
import { recordRates } from '../../store/reporting/rates.ts'
import { type CrmSession, withCrm } from './with-crm.ts'

/** Keeps the rates of the connected account. A Refusal says what to do where they may not be read. */
export async function readCrmRates(deps: Deps, organizationId: number): Promise<void> {
  const { currency, rates } = await withCrm(deps, organizationId, async (session) => {
    const refusal = ratesRefusal(deps, session)
    if (refusal !== null) throw new Refusal('provider_refused', refusal)
    const account = await deps.crm.getAccount(session.access)
    return { currency: account.currency, rates: await deps.crm.listExchangeRates(session.access) }
  })
  if (currency === null)
    throw new Refusal(
      'provider_refused',
      `${deps.crm.name} does not say in which currency the account is. Try again later, or take other rates.`,
    )
  const at = deps.now()
  const stated = dayRatesOfCrm(rates, currency, dayOfDate(at))
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const { added, changed } = await recordRates(tenant, stated, at)
    if (added + changed > 0) await requestConversion(tenant)
    await noteCrmReading(tenant, at)
  })
}

/** Why the account's rates may not be read, in one sentence; null if they may. */
export function ratesRefusal(
  { crm }: Pick<Deps, 'crm'>,
  { scopes, isByKey }: Pick<CrmSession, 'scopes' | 'isByKey'>,
): string | null {
  const missing = crm.missingScopes(scopes, 'rates')
  if (missing.length === 0) return null
  const how = isByKey
    ? `add it to the service key under ${crm.keyPlace}, and enter the key again`
    : 'disconnect and connect again to grant it'
  return `${crm.name} did not grant ${missing.join(', ')}, which its rates need: ${how}.`
}

/** Reads the account's rates once a day for an organization that takes them. */
export async function followCrmRates(deps: Deps, organizationId: number): Promise<void> {
  const isDue = await inOrganization(deps.database, organizationId, (tenant) =>
    claimCrmReading(tenant, deps.now()),
  )
  if (isDue) await readCrmRates(deps, organizationId)
}
