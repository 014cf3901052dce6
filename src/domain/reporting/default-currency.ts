import { minorDigits } from '../currency.ts'

/**
 * How many units make about one US dollar, as a power of ten, where that is more than a few. Only used to guess which
 * currency has most MRR while no rates are known; no figure is converted by it.
 */
const magnitudes: Record<string, number> = {
  ...Object.fromEntries(
    'czk dkk hkd mxn nok sek uah try zar cny xof xaf thb twd'.split(' ').map((code) => [code, 1]),
  ),
  ...Object.fromEntries('huf inr isk jpy kes php rub'.split(' ').map((code) => [code, 2])),
  ...Object.fromEntries('ars clp cop krw ngn ugx'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('idr pyg vnd'.split(' ').map((code) => [code, 4])),
  clf: -2,
}

/** The currency that most MRR is in, as far as that can be told without rates; null without any MRR. */
export function currencyOfMost(rows: readonly { currency: string; mrrCents: number }[]): string | null {
  const sizeOf = ({ currency, mrrCents }: { currency: string; mrrCents: number }) =>
    mrrCents / 10 ** (minorDigits(currency) + (magnitudes[currency] ?? 0))
  const [largest] = rows
    .filter(({ mrrCents }) => mrrCents > 0)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.currency < b.currency ? -1 : 1))
  return largest?.currency ?? null
}
