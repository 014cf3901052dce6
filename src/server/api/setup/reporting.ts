import { getReportingSettings, saveReportingSettings, uploadRates } from '#contract/settings.ts'
import { dayOfDate } from '#domain/instant.ts'
import { parseEcbFile, parseRatesCsv, RatesFileError } from '#domain/reporting/parse-rates.ts'
import { type FoundRate, rateWithoutDay } from '#domain/reporting/rate.ts'
import type { Deps } from '../../deps.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { isConverting, listOwnCurrencies, requestConversion } from '../../store/reporting/conversions.ts'
import { countOwnRates, loadRates, recordRates } from '../../store/reporting/rates.ts'
import { findLastReading } from '../../store/reporting/reference-rates.ts'
import {
  currencyOfNothing,
  getReporting,
  getReportingCurrency,
  type Reporting,
  setReporting,
} from '../../store/reporting/reporting.ts'
import { ratesRefusal, readCrmRates } from '../../work/crm/read-crm-rates.ts'
import { usesServiceKey } from '../../work/crm/sealed-tokens.ts'
import { convertAtOnce } from '../../work/ledger/convert-anew.ts'
import { ratesStanding, reportingStanding } from '../standing.ts'

export function serveReporting(router: Router): void {
  serve(router, getReportingSettings, ({ deps, inOrganization }) =>
    inOrganization((tenant) => readSettings(deps, tenant)),
  )

  serve(
    router,
    saveReportingSettings,
    async ({ deps, organizationId, inOrganization }, { body }) => {
      const { reportingCurrency: currency, method, source, seen } = body
      // Before anything is saved: without its rates, every other currency would drop out of the totals.
      if (source === 'crm' && (await inOrganization(getReporting)).source !== 'crm')
        await readCrmRates(deps, organizationId)
      const isOther = await inOrganization(async (tenant) => {
        const known = await getReporting(tenant)
        if (
          currency !== (known.currency ?? currencyOfNothing) &&
          !(await listOwnCurrencies(tenant)).includes(currency) &&
          currency !== (await findPortal(deps, tenant))?.currency
        )
          throw new Refusal(
            'invalid_request',
            `No subscription is in ${currency.toUpperCase()}. Choose one of the listed currencies.`,
          )
        const isOtherNow = known.currency !== currency || known.method !== method || known.source !== source
        // Before the lock of the settings: a conversion takes its row first too.
        if (isOtherNow) await requestConversion(tenant)
        // Whoever else saves waits for that lock too, and reads what was saved meanwhile.
        if (seen !== undefined) refuseUnlessSeen(seen, await getReporting(tenant))
        await setReporting(tenant, { currency, method, source })
        return isOtherNow
      })
      if (isOther) await convertAtOnce(deps, organizationId)
      return inOrganization((tenant) => readSettings(deps, tenant))
    },
    reportingStanding,
  )

  serve(
    router,
    uploadRates,
    async ({ deps, organizationId, inOrganization }, { body }) => {
      const today = dayOfDate(deps.now())
      const rows = await refusingBadFile(() => readFile(body, today))
      const recorded = await inOrganization(async (tenant) => {
        const { currency } = await getReporting(tenant)
        if (currency === null)
          throw new Refusal('conflict', 'Nothing is there to convert yet. Import from Stripe first.')
        await requestConversion(tenant)
        if (body.isLast) await setReporting(tenant, { currency, source: body.source })
        const kept = await refusingBadFile(() => recordRates(tenant, rows, deps.now()))
        if ((await countOwnRates(tenant)) > keptMax) throw tooManyRates()
        return kept
      })
      if (body.isLast) await convertAtOnce(deps, organizationId)
      return recorded
    },
    ratesStanding,
  )
}

/** Days with all their corrections: some twelve currencies, each to its own target, every day since 1999. */
const keptMax = 100_000

type Seen = { reportingCurrency: string; method: string; source: string }

function refuseUnlessSeen(seen: Seen, { currency, method, source }: Reporting): void {
  const isSame =
    seen.reportingCurrency === (currency ?? currencyOfNothing) &&
    seen.method === method &&
    seen.source === source
  if (isSame) return
  throw new Refusal(
    'conflict',
    'Somebody else has just changed this. Look at what stands now, then choose again.',
  )
}

function readFile({ source, text }: { source: 'ecb' | 'csv'; text: string }, today: string) {
  return (source === 'ecb' ? parseEcbFile : parseRatesCsv)(text, today)
}

function tooManyRates(): Refusal {
  return new Refusal(
    'conflict',
    `More than ${keptMax.toLocaleString('en-US')} rates of days would be kept. Choose a file with only the days and currencies that you need.`,
  )
}

async function refusingBadFile<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RatesFileError)
      throw new Refusal('invalid_request', `Choose another file, or correct this one: ${error.message}`)
    throw error
  }
}

async function findPortal(deps: Deps, tenant: Tenant) {
  const crm = await findConnection(tenant, 'crm')
  if (!crm?.account_id) return null
  const { scopes, details } = crm
  return {
    currency: currencyOf(details),
    ratesRefusal: ratesRefusal(deps, { scopes, isByKey: usesServiceKey(crm) }),
  }
}

/** Accounts that were connected by an earlier version, or could not be read, have no currency in their details. */
function currencyOf(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('currency' in details)) return null
  return typeof details.currency === 'string' ? details.currency : null
}

/** Below it, six decimals are too few for half a percent. */
const coarseBelow = 0.001

function rateOfSettings(found: FoundRate, currency: string, to: string) {
  const { day, isStale, source, rate } = found
  const isCoarse = source === 'crm' && Number(rate.top) / Number(rate.bottom) < coarseBelow
  return { text: rateWithoutDay(found, currency, to), day, isStale, isCoarse }
}

async function readSettings(deps: Deps, tenant: Tenant) {
  const { method, source } = await getReporting(tenant)
  const to = await getReportingCurrency(tenant)
  const own = await listOwnCurrencies(tenant)
  const others = own.filter((currency) => currency !== to)
  const day = dayOfDate(deps.now())
  const portal = await findPortal(deps, tenant)
  const wanted = others.map((currency) => ({ currency, day }))
  const rateOf = await loadRates(tenant, { source, to, wanted })
  return {
    reportingCurrency: to,
    method,
    source,
    hasSeveral: others.length > 0,
    currencies: [...new Set([to, ...own, ...(portal?.currency ? [portal.currency] : [])])].sort(),
    portal,
    rates: others.map((currency) => {
      const found = rateOf(currency, day)
      return { currency, rate: found && rateOfSettings(found, currency, to) }
    }),
    readAt: source === 'ecb' ? ((await findLastReading(tenant))?.toISOString() ?? null) : null,
    isConverting: await isConverting(tenant),
  }
}
