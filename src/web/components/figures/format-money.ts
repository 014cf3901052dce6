import { minorDigits } from '#domain/currency.ts'

/** The formatters are kept for each currency, because creating one takes longer than formatting a whole list. */
const moneyFormats = new Map<string, Intl.NumberFormat | null>()

type Style = 'plain' | 'whole' | 'change' | 'rough' | 'name'

const options: Record<Style, Intl.NumberFormatOptions> = {
  plain: { signDisplay: 'auto' },
  whole: { trailingZeroDisplay: 'stripIfInteger' },
  change: { signDisplay: 'exceptZero' },
  rough: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 },
  name: { currencyDisplay: 'name' },
}

function moneyFormat(currency: string, style: Style): Intl.NumberFormat | null {
  const key = `${currency} ${style}`
  const known = moneyFormats.get(key)
  if (known !== undefined) return known
  const made = makeMoneyFormat(currency, style)
  moneyFormats.set(key, made)
  return made
}

/** Browsers disagree on digits, and with the payment provider, whose minor units the amounts are: we set them. */
function makeMoneyFormat(currency: string, style: Style): Intl.NumberFormat | null {
  const digits = minorDigits(currency)
  const withDigits = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  try {
    return new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currency.toUpperCase(),
      ...withDigits,
      ...options[style],
    })
  } catch {
    return null
  }
}

function format(amountCents: number, currency: string, style: Style): string {
  const money = moneyFormat(currency, style)
  if (money === null) return `${amountCents} ${currency.toUpperCase()}`
  return money.format(amountCents === 0 ? 0 : amountCents / 10 ** minorDigits(currency))
}

/** Writes an amount in minor units for a person: 123456 usd is '$1,234.56'. */
export function formatMoney(amountCents: number, currency: string): string {
  return format(amountCents, currency, 'plain')
}

/** Writes an amount without minor units where it has none, for bounds: 20000 usd is '$200'. */
export function formatWhole(amountCents: number, currency: string): string {
  return format(amountCents, currency, 'whole')
}

/** Writes an amount of change, with a plus sign before an increase: '+$5.00', '-$5.00', '$0.00'. */
export function formatMoneyChange(amountCents: number, currency: string): string {
  return format(amountCents, currency, 'change')
}

/** Shortens an amount for an axis, which people read at a glance: '$28.5K'. */
export function formatRoughly(amountCents: number, currency: string): string {
  return format(amountCents, currency, 'rough')
}

/** The name of a currency in words: 'US dollars', 'euros'. */
export function currencyName(currency: string): string {
  const parts = moneyFormat(currency, 'name')?.formatToParts(2)
  return parts?.find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase()
}
