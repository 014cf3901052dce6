import type { Transaction } from '#contract/events.ts'

type Quantities = Pick<Transaction, 'previousQuantity' | 'currentQuantity' | 'changeType'>

/** Shows 'previous → current', and the signed difference when the quantity changed. */
export function QuantityChange({ previousQuantity, currentQuantity, changeType }: Quantities) {
  const delta = currentQuantity - previousQuantity
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {written(previousQuantity)} → {written(currentQuantity)}
      {changeType === 'quantity_change' ? ` (${delta > 0 ? '+' : ''}${written(delta)})` : ''}
    </span>
  )
}

const written = (quantity: number) => quantity.toLocaleString('en-US')
