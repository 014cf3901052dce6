/** The formatters are kept for each currency, because creating one takes longer than formatting a whole list. */
const moneyFormats = new Map<string, Intl.NumberFormat | null>()

/** Knows how many decimal places a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
function moneyFormat(currency: string, signDisplay: 'auto' | 'exceptZero'): Intl.NumberFormat | null {
  const key = `${currency} ${signDisplay}`
  const known = moneyFormats.get(key)
  if (known !== undefined) return known
  const made = makeMoneyFormat(currency, signDisplay)
  moneyFormats.set(key, made)
  return made
}

function makeMoneyFormat(currency: string, signDisplay: 'auto' | 'exceptZero'): Intl.NumberFormat | null {
  try {
    return new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currency.toUpperCase(),
      signDisplay,
    })
  } catch {
    return null
  }
}

function format(amount: number, currency: string, signDisplay: 'auto' | 'exceptZero'): string {
  const money = moneyFormat(currency, signDisplay)
  if (money === null) return `${amount} ${currency.toUpperCase()}`
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  return money.format(amount === 0 ? 0 : amount / 10 ** digits)
}

/** Writes an amount in minor units for a person: 123456 usd is '$1,234.56'. */
export function formatMoney(amountCents: number, currency = 'usd'): string {
  return format(amountCents, currency, 'auto')
}

/** Writes an amount of change, with a plus sign before an increase: '+$5.00', '-$5.00', '$0.00'. */
export function formatMoneyChange(amountCents: number, currency = 'usd'): string {
  return format(amountCents, currency, 'exceptZero')
}
