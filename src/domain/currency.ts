/**
 * Digits after the decimal point for currencies that do not use two. The payment provider's page of currencies lists UGX
 * here too, but its special cases say that 500 are 5 shillings, as with ISK.
 */
const fractionDigits: Record<string, number> = {
  ...Object.fromEntries(
    'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((code) => [code, 3])),
}

/** How many digits the payment provider's minor units have after the decimal point: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return fractionDigits[currency.toLowerCase()] ?? 2
}

/**
 * An amount in major units as decimal text, from whole minor units: 123456 usd is '1234.56', 500 jpy is '500'. Throws a
 * RangeError for a number that is not a safe integer.
 */
export function decimalOfCents(amountCents: number, currency: string): string {
  if (!Number.isSafeInteger(amountCents)) throw new RangeError(`not an amount: ${amountCents}`)
  const digits = minorDigits(currency)
  const sign = amountCents < 0 ? '-' : ''
  const text = String(Math.abs(amountCents)).padStart(digits + 1, '0')
  const point = text.length - digits
  return digits === 0 ? sign + text : `${sign}${text.slice(0, point)}.${text.slice(point)}`
}

/** An amount of whole minor units with its currency, the same for every reader: '1234.56 USD'. */
export function moneyText(amountCents: number, currency: string): string {
  return `${decimalOfCents(amountCents, currency)} ${currency.toUpperCase()}`
}

const decimal = /^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/

/**
 * Whole minor units of an amount that a person writes in major units, with or without its currency: '1,234.5' or '$1234.50'
 * is 123450. Null for other text, for more digits than the currency has, and from 10^15 minor units on.
 */
export function centsOfDecimal(text: string, currency: string): number | null {
  const unit = `(?:${currency}|\\p{L}{0,3}\\p{Sc})`
  const parts = new RegExp(`^\\s*(-?)\\s*(?:${unit})?\\s*([\\d.,]+)\\s*(?:${unit})?\\s*$`, 'iu').exec(text)
  const [, sign = '', number = ''] = parts ?? []
  const digits = minorDigits(currency)
  const [whole = '', fraction = ''] = number.replaceAll(',', '').split('.')
  if (!/\d/.test(number) || !decimal.test(number) || fraction.length > digits) return null
  const cents = Number(`${sign}${whole}${fraction.padEnd(digits, '0')}`)
  return Math.abs(cents) < 1e15 ? cents + 0 : null
}

/** The codes of the currencies with this number of digits after the point, other than two: 'jpy,krw'. */
export function currenciesWith(digits: 0 | 3): string {
  return Object.keys(fractionDigits)
    .filter((code) => fractionDigits[code] === digits)
    .join()
}
