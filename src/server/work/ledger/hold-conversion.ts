import type { Conversion } from '#domain/reporting/conversion.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { holdReporting } from '../../store/reporting/reporting.ts'

/** How the organization's figures are converted. Nothing about it changes until the transaction ends. */
export async function holdConversion(tenant: Tenant, now: Date): Promise<Conversion> {
  const { currency } = await holdReporting(tenant)
  return { currency, method: 'booked', today: now.toISOString().slice(0, 10), rateOf: () => null }
}
