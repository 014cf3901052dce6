import { Explained } from '../explained.tsx'
import { formatMoney, formatMoneyChange } from './format-money.ts'
import { Money, MoneyChange } from './money.tsx'

type ConvertedMoneyProps = {
  amountCents: number
  currency: string
  /** What it is in the currency of totals; null without a rate. */
  reportingCents: number | null
  reportingCurrency: string
  rateText: string | null
  isChange?: boolean
}

/**
 * Shows an amount in its own currency. If that is not the currency of totals, the converted amount and its rate show on
 * hover, on focus and to screen readers.
 */
export function ConvertedMoney(props: ConvertedMoneyProps) {
  const { amountCents, currency, isChange = false } = props
  const own = isChange ? (
    <MoneyChange amountCents={amountCents} currency={currency} />
  ) : (
    <Money amountCents={amountCents} currency={currency} />
  )
  if (currency === props.reportingCurrency || amountCents === 0) return own
  return <Explained words={wordsOf(props)}>{own}</Explained>
}

function wordsOf({ reportingCents, reportingCurrency, rateText, isChange }: ConvertedMoneyProps): string {
  if (reportingCents === null) return 'No exchange rate is known, so no total includes it'
  const amount = (isChange ? formatMoneyChange : formatMoney)(reportingCents, reportingCurrency)
  return rateText === null ? amount : `${amount} ${rateText}`
}
