import { sumTransactions } from '#contract/events.ts'
import { labelOf } from '#domain/subscription.ts'
import { useEndpoint } from '../../client.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { SumLine } from '../../components/list-page/sum-line.tsx'
import { freshMs } from '../../queries/freshness.ts'
import type { eventQuery } from './event-filters.ts'

/** Says what the listed changes of all pages come to, by kind. */
export function EventSumLine({ query }: { query: ReturnType<typeof eventQuery> }) {
  const { data, error, isFetching } = useEndpoint(sumTransactions, { query }, { staleTime: freshMs.records })
  return (
    <SumLine
      isPending={isFetching && data === undefined}
      error={error}
      phoneLines={'mrrStatus' in query ? 3 : 5}
    >
      {data === undefined ? null : (
        <>
          <MoneyChange amountCents={data.net.change} currency={data.currency} /> MRR in{' '}
          {data.totalCount.toLocaleString('en-US')} {data.totalCount === 1 ? 'event' : 'events'}
          {data.kinds.length > 1
            ? data.kinds.map(({ mrrStatus, change, events }) => (
                <span key={mrrStatus}>
                  {' · '}
                  {labelOf(mrrStatus)} <MoneyChange amountCents={change} currency={data.currency} /> (
                  {events.toLocaleString('en-US')})
                </span>
              ))
            : null}
          {data.otherCurrencies.map(({ currency, change, events }) => (
            <span key={currency}>
              {' · '}
              {currency.toUpperCase()} <MoneyChange amountCents={change} currency={currency} /> (
              {events.toLocaleString('en-US')})
            </span>
          ))}
        </>
      )}
    </SumLine>
  )
}
