import { getFilterOptions, listedProductsMax } from '#contract/lists/filter-options.ts'
import { billingIntervalText } from '#domain/subscription.ts'
import { type Router, serve } from '../../http/serve.ts'
import { readFilterOptions } from '../../store/lists/filter-options.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'

export function serveFilterOptions(router: Router): void {
  serve(router, getFilterOptions, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { intervals, ...options } = await readFilterOptions(tenant, listedProductsMax)
      return {
        ...options,
        reportingCurrency: await getReportingCurrency(tenant),
        intervals: intervals.map(({ days, cadences }) => ({
          days,
          label: days === null ? 'No interval' : billingIntervalText(days, cadences),
        })),
      }
    }),
  )
}
