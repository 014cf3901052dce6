import { sumSubscriptions } from '#contract/subscriptions.ts'
import { useEndpoint } from '../../client.ts'
import { ListedMrr } from '../../components/figures/listed-mrr.tsx'
import type { ListState } from '../../components/list-page/list-state.ts'
import { SumLine } from '../../components/list-page/sum-line.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { filterQuery } from './subscription-filters.ts'

/** `isPending` says that the rows are not there yet. */
type SumProps = { state: ListState; isPending: boolean }

/** Says what the listed subscriptions of all pages come to. */
export function SubscriptionSumLine({ state, isPending }: SumProps) {
  const { data, error, isFetching } = useEndpoint(
    sumSubscriptions,
    { query: filterQuery(state) },
    { staleTime: freshMs.records },
  )
  return (
    <SumLine isPending={isPending || (isFetching && data === undefined)} error={error}>
      {data === undefined ? null : <ListedMrr {...data} noun="subscription" />}
    </SumLine>
  )
}
