import { counted } from '../counted.ts'
import { Money } from './money.tsx'

type ListedMrrProps = {
  totalCount: number
  mrr: number
  currency: string
  /** MRR in currencies that are not added to `mrr`. */
  otherCurrencies: readonly { currency: string; mrr: number }[]
  /** What is listed, in singular. */
  noun: string
}

/** Says what listed rows come to in MRR, and how many they are. */
export function ListedMrr({ totalCount, mrr, currency, otherCurrencies, noun }: ListedMrrProps) {
  return (
    <>
      <Money amountCents={mrr} currency={currency} /> MRR
      {otherCurrencies.map((other) => (
        <span key={other.currency}>
          {' '}
          and <Money amountCents={other.mrr} currency={other.currency} />
        </span>
      ))}{' '}
      in {counted(totalCount, noun)}
    </>
  )
}
