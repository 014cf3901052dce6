import { sumSubscriptions } from '#contract/subscriptions.ts'
import { useEndpoint } from '../../client.ts'
import { Money } from '../../components/figures/money.tsx'
import type { ListState } from '../../components/list-page/list-state.ts'
import { SumLine } from '../../components/list-page/sum-line.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { filterQuery } from './subscription-filters.ts'

/** Says what the listed subscriptions of all pages come to. */
export function SubscriptionSumLine({ state }: { state: ListState }) {
  const { data, error, isFetching } = useEndpoint(
    sumSubscriptions,
    { query: filterQuery(state) },
    { staleTime: freshMs.records },
  )
  return (
    <SumLine isPending={isFetching && data === undefined} error={error}>
      {data === undefined ? null : (
        <>
          <Money amountCents={data.mrr} currency={data.currency} /> MRR
          {data.otherCurrencies.map(({ currency, mrr }) => (
            <span key={currency}>
              {' '}
              and <Money amountCents={mrr} currency={currency} />
            </span>
          ))}{' '}
          in {data.totalCount.toLocaleString('en-US')}{' '}
          {data.totalCount === 1 ? 'subscription' : 'subscriptions'}
        </>
      )}
    </SumLine>
  )
}
