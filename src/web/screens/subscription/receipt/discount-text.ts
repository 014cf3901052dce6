import type { ReceiptDiscountAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'

/** Names what takes an amount off: 'Discount Spring: 20% off for 3 months, on the subscription'. */
export function discountsText({ discounts, discountIds }: ReceiptPartAnswer, currency: string): string {
  const texts = discounts.map((discount) => discountText(discount, currency)).filter((text) => text !== '')
  // One amount can be what several discounts take off together.
  if (discountIds.length > 1)
    return [`${discountIds.length} discounts together`, texts.join('; ')].filter(Boolean).join(': ')
  return ['Discount', ...texts].join(' ')
}

function discountText(discount: ReceiptDiscountAnswer, currency: string): string {
  const { couponName, couponId, holder } = discount
  const terms = [amountText(discount, currency), durationText(discount)].filter(Boolean).join(' ')
  const facts = [terms, holder === null ? '' : `on the ${holder}`].filter(Boolean).join(', ')
  return [couponName ?? couponId ?? '', facts].filter(Boolean).join(': ')
}

function amountText({ percentOff, amountOff }: ReceiptDiscountAnswer, currency: string): string {
  if (amountOff !== null) return `${formatMoney(amountOff, currency)} off`
  return percentOff === null ? '' : `${percentOff.toLocaleString('en-US')}% off`
}

function durationText({ duration, durationInMonths: months }: ReceiptDiscountAnswer): string {
  if (duration === 'once' || duration === 'forever') return duration
  return duration === 'repeating' && months !== null
    ? `for ${months} ${months === 1 ? 'month' : 'months'}`
    : ''
}
