import { parseEcbFile, RatesFileError } from '#domain/reporting/parse-rates.ts'
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
 * Reads the shared rates once after each publication, those of the operator's own files each hour, and lets amounts in
 * other currencies follow. A failure is logged, and the rates known so far stay in use.
 */
export async function readReferenceRates(
  deps: Pick<Deps, 'database' | 'now' | 'log' | 'rates'>,
): Promise<void> {
  if (deps.rates === null) return
  const at = deps.now()
  const publishedAt = deps.rates.isOwn ? at : lastPublication(at)
  if (!(await claimReading(deps.database, { at, publishedAt }))) return
  try {
    if ((await recordFiles(deps, await deps.rates.readFiles(), at)) === 0) return
  } catch (error) {
    deps.log.warn({ error }, 'exchange rates could not be read')
    return
  }
  for (const organizationId of await listOrganizationIds(deps.database))
    await inOrganization(deps.database, organizationId, requestIfForeign).catch((error: unknown) => {
      deps.log.error({ error, organizationId }, 'conversion could not be requested')
    })
}

/** Keeps the rates of each file. One that cannot be used is logged by its name, and keeps back no other. */
async function recordFiles(
  deps: Pick<Deps, 'database' | 'log'>,
  files: readonly { name: string; text: string }[],
  at: Date,
): Promise<number> {
  let days = 0
  for (const { name, text } of files)
    try {
      const stated = parseEcbFile(text, at.toISOString().slice(0, 10))
      days += await recordReferenceRates(deps.database, stated, at)
    } catch (error) {
      if (!(error instanceof RatesFileError)) throw error
      deps.log.warn({ error, name }, 'a file of exchange rates could not be read')
    }
  return days
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
