import { dayOfDate } from '#domain/instant.ts'
import { parseEcbFile } from '#domain/reporting/parse-rates.ts'
import type { DayRates } from '#domain/reporting/rate.ts'
import type { Deps } from '../../deps.ts'
import type { RatesPort } from '../../providers/rates.ts'
import { listOrganizationIds } from '../../store/accounts/organizations.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { listOwnCurrencies, requestConversion } from '../../store/reporting/conversions.ts'
import {
  claimReading,
  hasNewRates,
  noteReading,
  recordReferenceRates,
} from '../../store/reporting/reference-rates.ts'
import { getReporting } from '../../store/reporting/reporting.ts'

/** The central bank publishes at about 16:00 in Frankfurt, which is at the latest 15:00 in UTC. */
const publishedHour = 15
const publishedMinute = 15

/**
 * Reads the shared rates once after each publication, those of the operator's own files each hour, and lets amounts
 * follow what was kept. A failure is logged, and the rates known so far stay in use.
 */
export async function readReferenceRates(
  deps: Pick<Deps, 'database' | 'now' | 'log' | 'rates'>,
): Promise<void> {
  if (deps.rates === null) return
  const at = deps.now()
  const publishedAt = deps.rates.isOwn ? at : lastPublication(at)
  if (!(await claimReading(deps.database, { at, publishedAt }))) return
  const isRead = await recordFiles(deps, deps.rates, at)
  if (await hasNewRates(deps.database)) await letAmountsFollow(deps)
  if (isRead) await noteReading(deps.database, at)
}

/** Keeps the rates of all files; false if none could be used. */
async function recordFiles(
  deps: Pick<Deps, 'database' | 'log'>,
  port: RatesPort,
  at: Date,
): Promise<boolean> {
  try {
    const stated = await readFiles(deps, port, dayOfDate(at))
    await recordReferenceRates(deps.database, stated, at)
    return stated.length > 0
  } catch (error) {
    deps.log.warn({ error }, 'exchange rates could not be read')
    return false
  }
}

/**
 * What the files say of each day, read one by one; where they disagree, the newest is right. One that cannot be used is
 * logged by its name, and keeps back no other.
 */
async function readFiles({ log }: Pick<Deps, 'log'>, port: RatesPort, today: string): Promise<DayRates[]> {
  const byDay = new Map<string, DayRates>()
  for (const { name, read } of await port.listFiles())
    try {
      for (const stated of parseEcbFile(await read(), today))
        byDay.set(stated.day, { ...stated, rates: { ...byDay.get(stated.day)?.rates, ...stated.rates } })
    } catch (error) {
      log.warn({ error, name }, 'a file of exchange rates could not be read')
    }
  return [...byDay.values()]
}

async function letAmountsFollow(deps: Pick<Deps, 'database' | 'log'>): Promise<void> {
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
