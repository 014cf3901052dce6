import { parseEcbFile } from '#domain/reporting/parse-rates.ts'
import type { Deps } from '../../deps.ts'
import { listOrganizationIds } from '../../store/accounts/organizations.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { listOwnCurrencies, requestConversion } from '../../store/reporting/conversions.ts'
import { claimReading, recordReferenceRates } from '../../store/reporting/reference-rates.ts'
import { getReporting } from '../../store/reporting/reporting.ts'

/** The central bank publishes at about 16:00 in Frankfurt, which is at the latest 15:00 in UTC. */
const publishedHour = 15
const publishedMinute = 15

/**
 * Reads the shared rates once after each publication, where a place for them is set, and lets amounts in other
 * currencies follow. A failure is logged, and the rates known so far stay in use.
 */
export async function readReferenceRates(
  deps: Pick<Deps, 'database' | 'now' | 'log' | 'rates'>,
): Promise<void> {
  if (deps.rates === null) return
  const at = deps.now()
  if (!(await claimReading(deps.database, { at, publishedAt: lastPublication(at) }))) return
  try {
    const days = parseEcbFile(await deps.rates.readHistory(), at.toISOString().slice(0, 10))
    if ((await recordReferenceRates(deps.database, days, at)) === 0) return
  } catch (error) {
    deps.log.warn({ error }, 'exchange rates could not be read')
    return
  }
  for (const organizationId of await listOrganizationIds(deps.database))
    await inOrganization(deps.database, organizationId, requestIfForeign).catch((error: unknown) => {
      deps.log.error({ error, organizationId }, 'conversion could not be requested')
    })
}

async function requestIfForeign(tenant: Tenant): Promise<void> {
  const { currency } = await getReporting(tenant)
  const own = await listOwnCurrencies(tenant)
  if (own.some((one) => one !== currency)) await requestConversion(tenant)
}

function lastPublication(at: Date): Date {
  const published = new Date(at)
  published.setUTCHours(publishedHour, publishedMinute, 0, 0)
  if (published > at) published.setUTCDate(published.getUTCDate() - 1)
  return published
}
