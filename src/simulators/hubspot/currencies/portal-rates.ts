import type { Portal, PortalRate } from '../entities.ts'

const since = Date.UTC(2024, 0, 1)

/** Invented, but near what these were. */
const usualRates: readonly PortalRate[] = [
  { from: 'EUR', to: 'USD', rate: 1.1, effectiveAt: since },
  { from: 'GBP', to: 'USD', rate: 1.28, effectiveAt: since },
  { from: 'JPY', to: 'USD', rate: 0.0067, effectiveAt: since },
]

export function companyCurrencyOf({ companyCurrency = 'USD' }: Portal): string {
  return companyCurrency
}

/** The dated rates of a portal, as they were entered. */
export function ratesOf({ exchangeRates = usualRates }: Portal): readonly PortalRate[] {
  return exchangeRates
}
