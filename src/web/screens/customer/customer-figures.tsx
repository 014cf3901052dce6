import { SimpleGrid, Text } from '@mantine/core'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { Term } from '../../components/terms/term.tsx'
import { FactCard } from '../../ui/fact-card.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { Day } from '../../ui/time/instant.tsx'
import type { CustomerDetails } from './customer-details.ts'

/** What the customer pays and since when: a card each, or, on a phone, a line each of one card. */
export function CustomerFigures({ customer }: { customer: CustomerDetails }) {
  const { firstPaidAt, subscriptions } = customer
  const mrr = <CustomerMrr customer={customer} />
  const arr = <CustomerMrr customer={inAYear(customer)} />
  const count = subscriptions.count.toLocaleString('en-US')
  const since = firstPaidAt === null ? 'Not paid yet' : <Day at={firstPaidAt} />
  if (useIsNarrow())
    return (
      <FactCard
        title="At a glance"
        facts={[
          ['MRR', mrr],
          ['ARR', arr],
          ['Subscriptions', count],
          ['Customer Since', since],
        ]}
      />
    )
  return (
    // Two by two on a tablet, where a row of three would leave one alone.
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <StatCard
        order={3}
        label="MRR"
        explained={<Term name="mrr">MRR</Term>}
        value={mrr}
        caption="Over all subscriptions"
      />
      <StatCard
        order={3}
        label="ARR"
        explained={<Term name="arr">ARR</Term>}
        value={arr}
        caption="12 times MRR"
      />
      <StatCard order={3} label="Subscriptions" value={count} />
      <StatCard
        order={3}
        label="Customer Since"
        value={
          <Text inherit span fz={24} style={{ whiteSpace: 'nowrap' }}>
            {since}
          </Text>
        }
        caption={firstPaidAt === null ? undefined : 'First paid day'}
      />
    </SimpleGrid>
  )
}

function inAYear({ currentMrr, otherCurrencies, ...customer }: CustomerDetails) {
  return {
    ...customer,
    currentMrr: 12 * currentMrr,
    otherCurrencies: otherCurrencies.map(({ currency, mrr }) => ({ currency, mrr: 12 * mrr })),
  }
}
