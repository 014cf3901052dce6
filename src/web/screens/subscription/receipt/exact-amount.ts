import { minorDigits } from '#domain/currency.ts'

/** An amount that is not a whole cent shows this many digits after the cents. */
const moreDigits = 2
const scale = 10n ** BigInt(moreDigits)

/** Splits a fraction in text, '25000/3' or '8333', into its two whole numbers. */
export function readFraction(text: string): { top: bigint; bottom: bigint } {
  const [top = '0', bottom = '1'] = text.split('/')
  return { top: BigInt(top), bottom: BigInt(bottom) }
}

/** Writes an exact amount in minor units for a person: '8333' usd is '$83.33', '25000/3' usd is '$83.3333…'. */
export function formatExact(text: string, currency: string): string {
  const { top, bottom } = readFraction(text)
  const isWhole = bottom === 1n
  const isExact = (top * scale) % bottom === 0n
  try {
    // Not those that the browser knows, which has no hundredths of a forint.
    const digits = minorDigits(currency)
    const shown = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currency.toUpperCase(),
      minimumFractionDigits: digits,
      maximumFractionDigits: isWhole ? digits : digits + moreDigits,
    })
    const scaled = Number((top * scale) / bottom) / Number(scale)
    return `${shown.format(scaled === 0 ? 0 : scaled / 10 ** digits)}${isExact ? '' : '…'}`
  } catch {
    return `${text} ${currency.toUpperCase()}`
  }
}

/** Writes how the amount of a billing period becomes the amount of a month: '÷ 12', or '× 13/3' for a week. */
export function monthlyFactor(months: string): string {
  const { top, bottom } = readFraction(months)
  return bottom === 1n ? `÷ ${top}` : `× ${bottom}/${top}`
}
