/** Decimal places that the smallest unit of a currency stands for: 2 for USD, 0 for JPY, 3 for KWD. */
function moneyFormat(currency: string, signDisplay: 'auto' | 'exceptZero'): Intl.NumberFormat | null {
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

/** An amount in minor units as a person reads it: 123456 usd is '$1,234.56'. */
export function formatMoney(amountCents: number, currency = 'usd'): string {
  return format(amountCents, currency, 'auto')
}

const roughFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** US cents for the axis of a chart, where a glance has to do: 2850000 is '$28.5K'. */
export function formatMoneyRough(amountCents: number): string {
  return roughFormat.format(amountCents / 100)
}

/** The same with a plus sign before what grew: '+$5.00', '-$5.00', '$0.00'. */
export function formatMoneyChange(amountCents: number, currency = 'usd'): string {
  return format(amountCents, currency, 'exceptZero')
}
