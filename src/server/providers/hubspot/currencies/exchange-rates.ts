import type { CrmExchangeRate } from '#domain/reporting/crm-rates.ts'
import type { CrmPort } from '../../crm.ts'
import { exchangeRatesAnswer } from '../answers.ts'
import type { HubspotClient } from '../client.ts'
import { listPageSize, paths } from '../version.ts'

/** Stops a listing whose cursor never ends. */
const pagesMax = 1_000
/** HubSpot keeps six decimals of a rate. */
const rateDigits = 6

/** Reads the rates that people keep in the account's settings. Creating and changing them is left to people. */
export function createRateCalls(call: HubspotClient): Pick<CrmPort, 'listExchangeRates'> {
  return {
    async listExchangeRates(access) {
      const rates: CrmExchangeRate[] = []
      let after: string | undefined
      for (let page = 0; page < pagesMax; page += 1) {
        const answer = await call(access, {
          method: 'GET',
          path: paths.exchangeRates,
          query: { limit: String(listPageSize), ...(after !== undefined && { after }) },
          answer: exchangeRatesAnswer,
        })
        rates.push(
          ...answer.results
            .filter(({ effectiveAt }) => Number.isFinite(effectiveAt))
            .map(({ fromCurrencyCode, toCurrencyCode, conversionRate, effectiveAt }) => ({
              from: fromCurrencyCode.toLowerCase(),
              to: toCurrencyCode.toLowerCase(),
              rate: textOf(conversionRate),
              effectiveAt,
            })),
        )
        const next = answer.paging?.next?.after
        if (next === undefined || next === after) break
        after = next
      }
      return rates
    },
  }
}

/** A number as a decimal text, without the zeros that it did not have. */
function textOf(rate: string | number): string {
  return typeof rate === 'string' ? rate : String(Number(rate.toFixed(rateDigits)))
}
