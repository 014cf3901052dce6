import { expect, it } from 'vitest'
import type { ReceiptAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { compareReceipts } from './compare-receipts.ts'
import { differenceInWords } from './difference-in-words.ts'

const team: ReceiptPartAnswer = {
  itemId: 'si_1',
  productId: 'prod_1',
  productName: 'Team',
  priceId: 'price_month',
  quantity: 26,
  invoiceId: 'in_1',
  invoiceLink: null,
  lines: [],
  gross: '31200',
  discount: '0',
  discountIds: [],
  discounts: [],
  inclusiveTax: '0',
  net: '31200',
  interval: 'month',
  intervalCount: 1,
  months: '1',
  monthly: '31200',
  rules: [],
}
const annual = { interval: 'year', months: '12', gross: '312000', priceId: 'price_year', monthly: '26000' }
const off = (cents: string, id = 'di_1') => ({ discount: cents, discountIds: [id] })
const of = (parts: ReceiptPartAnswer[], mrr = 31_200): ReceiptAnswer => ({
  ruleBookVersion: 1,
  policyRevision: 0,
  dated: null,
  kind: null,
  endsAt: null,
  lastBill: null,
  currency: 'usd',
  parts,
  sum: String(mrr),
  rounding: '0',
  mrr,
  ignored: [],
  rules: [],
})

it.each<[string, Partial<ReceiptPartAnswer>, Partial<ReceiptPartAnswer>, string | null]>([
  ['billing', {}, annual, 'Billed annually in place of monthly.'],
  ['a quarter', { months: '3', intervalCount: 3 }, {}, 'Billed monthly in place of quarterly.'],
  [
    'weeks',
    {},
    { interval: 'week', intervalCount: 2, months: '6/13' },
    'Billed every 2 weeks in place of monthly.',
  ],
  ['the same time in other units', annual, { ...annual, interval: 'month', intervalCount: 12 }, null],
  ['quantity', { quantity: 20, gross: '24000' }, {}, 'Quantity 26 in place of 20.'],
  [
    'quantity under tiers',
    { quantity: 20, gross: '26000' },
    {},
    'Quantity 26 in place of 20, full amount $312.00 in place of $260.00 per month.',
  ],
  [
    'quantity and price',
    { quantity: 20, gross: '20000', priceId: 'price_old' },
    {},
    'Quantity 26 in place of 20, at another price.',
  ],
  ['quantity and a price that is not known', { quantity: 20, gross: '20000', priceId: null }, {}, null],
  ['price', { gross: '26000' }, {}, 'Full amount $312.00 in place of $260.00 per month.'],
  ['product', { productId: 'prod_0', productName: 'Solo' }, {}, 'Team in place of Solo.'],
  [
    'a product whose name begins with a small letter',
    { productId: 'prod_0', productName: 'Solo' },
    { productName: 'iTeam' },
    'iTeam in place of Solo.',
  ],
  ['a product that is not known', { productId: null, productName: null }, {}, null],
  ['two products of one name', { productId: 'prod_0' }, {}, null],
  ['a discount that began', {}, off('1000'), 'With a discount of $10.00 per month.'],
  ['a discount that ended', off('1000'), {}, 'Without the discount.'],
  [
    'another amount of discount',
    off('1000'),
    off('2000'),
    'Discount of $20.00 in place of $10.00 per month.',
  ],
  [
    'a discount in percent that grows with the price',
    { ...off('2400'), quantity: 20, gross: '24000' },
    off('3120'),
    'Quantity 26 in place of 20.',
  ],
  [
    'another discount beside more',
    { ...off('2400'), quantity: 20, gross: '24000' },
    off('9999', 'di_2'),
    'Quantity 26 in place of 20, with another discount.',
  ],
  ['tax', {}, { inclusiveTax: '500' }, 'With tax of $5.00 in the price.'],
  ['tax that ended', { inclusiveTax: '500' }, {}, 'Without tax in the price.'],
  [
    'another tax',
    { inclusiveTax: '500' },
    { inclusiveTax: '600' },
    'Tax of $6.00 in place of $5.00 in the price.',
  ],
  [
    'tax that follows',
    { inclusiveTax: '400', gross: '25000' },
    { inclusiveTax: '500' },
    'Full amount $312.00 in place of $250.00 per month.',
  ],
  [
    'several at once',
    { quantity: 20, gross: '24000' },
    annual,
    'Billed annually in place of monthly, quantity 26 in place of 20.',
  ],
  ['nothing', {}, { itemId: 'si_9' }, null],
])('names %s', (_, before, after, words) => {
  expect(differenceInWords(of([{ ...team, ...before }]), of([{ ...team, ...after }]))).toBe(words)
})

const extra: ReceiptPartAnswer = { ...team, itemId: 'si_2', productId: 'prod_2', productName: 'Support' }

it('names the items of several that differ, and is silent where the whole began or ended', () => {
  expect(differenceInWords(of([team, extra]), of([{ ...team, ...annual }, extra]))).toBe(
    'Team: billed annually in place of monthly.',
  )
  expect(differenceInWords(of([team]), of([team, extra]))).toBe('Support was added.')
  expect(differenceInWords(of([team, extra]), of([team]))).toBe('Support was removed.')
  expect(differenceInWords(of([team, extra]), of([{ ...team, ...annual }]))).toBe(
    'Team: billed annually in place of monthly. Support was removed.',
  )
  const [cheap, cheaper] = [team, extra].map((part) => ({ ...part, ...off('1000') })) as [
    typeof team,
    typeof team,
  ]
  expect(differenceInWords(of([cheap, cheaper]), of([team, extra]))).toBe(
    'Team: without the discount. Support: without the discount.',
  )
  const namesake = { ...extra, productName: 'Team' }
  expect(differenceInWords(of([team, namesake]), of([{ ...team, ...annual }]))).toBeNull()
  const many = ['si_3', 'si_4', 'si_5', 'si_6'].map((itemId) => ({ ...extra, itemId, productName: itemId }))
  expect(differenceInWords(of([team]), of([team, ...many]))).toBeNull()
  expect(differenceInWords(of([]), of([team]))).toBeNull()
  expect(differenceInWords(of([team]), of([]))).toBeNull()
})

const shown = (before: ReceiptAnswer, after: ReceiptAnswer) => {
  const { items, sameItems, mrr } = compareReceipts(before, after)
  const facts = items.flatMap((item) =>
    item.facts.map((fact) => ({ ...fact, name: `${item.name}: ${fact.name}` })),
  )
  const texts = [...facts, mrr].map(({ name, before, after, isChanged }) =>
    [name, before, after, isChanged ? 'changed' : 'same'].join(' | '),
  )
  return [...texts, sameItems]
}

it('puts what differs side by side, with what it stands beside', () => {
  expect(shown(of([team]), of([{ ...team, ...annual, ...off('12000') }], 25_000))).toEqual([
    'Team: Full amount | $312.00 per month | $3,120.00 per year | changed',
    'Team: Quantity | 26 | 26 | same',
    'Team: Discount | None | -$120.00 per year | changed',
    'MRR | $312.00 | $250.00 | changed',
    0,
  ])
  expect(shown(of([{ ...team, productName: 'Solo', productId: 'prod_0' }]), of([team]))[0]).toBe(
    'Team: Product | Solo | Team | changed',
  )
})

it('tells the price of a unit where the quantity changed and the price did not', () => {
  const rows = (before: Partial<ReceiptPartAnswer>) => shown(of([{ ...team, ...before }]), of([team]))
  const unit = 'Team: Price per unit | $12.00 | $12.00 | same'
  expect(rows({ quantity: 20, gross: '24000' })).toContain(unit)
  expect(rows({ quantity: 20, gross: '20000' }).join()).not.toMatch(/per unit/)
  expect(rows({ quantity: 0, gross: '0' }).join()).not.toMatch(/per unit/)
  expect(rows({ gross: '26000' }).join()).not.toMatch(/per unit/)
})

it('leaves out the items that are the same, and has words for a side without an item', () => {
  expect(shown(of([team], 31_200), of([team, { ...extra, inclusiveTax: '200' }], 62_200))).toEqual([
    'Support: Full amount | None | $312.00 per month | changed',
    'Support: Quantity | None | 26 | changed',
    'Support: Tax included in the price | None | -$2.00 per month | changed',
    'MRR | $312.00 | $622.00 | changed',
    1,
  ])
})
