import { sumTransactions } from '#contract/events.ts'
import { movements } from '#domain/movement.ts'
import { labelOf } from '#domain/subscription.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { SumLine } from '../../components/list-page/sum-line.tsx'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { freshMs } from '../../queries/freshness.ts'
import type { eventQuery } from './event-filters.ts'

/** `isPending` says that the rows are not there yet. */
type SumProps = { query: ReturnType<typeof eventQuery>; isPending: boolean }

/** Says what the listed changes of all pages come to, by kind. */
export function EventSumLine({ query, isPending }: SumProps) {
  const { data, error, isFetching } = useEndpoint(sumTransactions, { query }, { staleTime: freshMs.records })
  // On a phone the first event is worth more than what each kind comes to.
  const isNarrow = useIsNarrow()
  return (
    <SumLine
      isPending={isPending || (isFetching && data === undefined)}
      error={error}
      phoneLines={'mrrStatus' in query ? 1 : 2}
    >
      {data === undefined ? null : (
        <>
          <MoneyChange amountCents={data.net.change} currency={data.currency} /> MRR in{' '}
          {counted(data.totalCount, 'event')}
          {data.kinds.length > 1 && !isNarrow
            ? inOrder(data.kinds).map(({ mrrStatus, change, events }) => (
                <span key={mrrStatus}>
                  {' · '}
                  {labelOf(mrrStatus)} <MoneyChange amountCents={change} currency={data.currency} /> (
                  {events.toLocaleString('en-US')})
                </span>
              ))
            : null}
          {data.otherCurrencies.map(({ currency, change, events }, index) => (
            <span key={currency}>
              {index === 0 ? ' · Not in these amounts: ' : ', '}
              <MoneyChange amountCents={change} currency={currency} /> ({events.toLocaleString('en-US')})
            </span>
          ))}
        </>
      )}
    </SumLine>
  )
}

/** The kinds in the order of MRR Movements; planned cancellations, which move nothing yet, come last. */
function inOrder<K extends { mrrStatus: string }>(kinds: readonly K[]): K[] {
  const order: readonly string[] = [...movements, 'Planned_Cancellation']
  return kinds.toSorted((a, b) => order.indexOf(a.mrrStatus) - order.indexOf(b.mrrStatus))
}
