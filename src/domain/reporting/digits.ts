import { minorDigits } from '../currency.ts'

/** Digits after the decimal point by ISO 4217, of 2026-01-01, where they are not two. */
const isoDigits: Record<string, number> = {
  ...Object.fromEntries(
    'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('bhd iqd jod kwd lyd omr tnd'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('clf uyw'.split(' ').map((code) => [code, 4])),
}

/**
 * How many digits a converted amount is rounded to: ISO's, as far as the payment provider's minor units can express
 * them. So krónur are whole, although the provider counts them in hundredths.
 */
export function roundedDigits(currency: string): number {
  return Math.min(isoDigits[currency] ?? 2, minorDigits(currency))
}
