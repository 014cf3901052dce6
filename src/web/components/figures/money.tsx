import { formatMoney, formatMoneyChange } from './format-money.ts'

type MoneyProps = { amountCents: number | null; currency: string }

const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const

export function Money({ amountCents, currency }: MoneyProps) {
  return <span style={figures}>{amountCents === null ? 'N/A' : formatMoney(amountCents, currency)}</span>
}

/** Shows a change of MRR: green with a plus sign for an increase, red for a decrease, and none in neither. */
export function MoneyChange({ amountCents, currency }: MoneyProps) {
  if (amountCents === null || amountCents === 0)
    return <Money amountCents={amountCents} currency={currency} />
  return (
    <span style={{ ...figures, color: amountCents < 0 ? 'var(--text-negative)' : 'var(--text-positive)' }}>
      {formatMoneyChange(amountCents, currency)}
    </span>
  )
}
