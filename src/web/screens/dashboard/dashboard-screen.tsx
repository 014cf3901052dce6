import { Anchor, Box, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { getDashboardStats, getRecentTransactions, getUpcomingRenewals } from '#contract/dashboard.ts'
import { useEndpoint } from '../../client.ts'
import { BillingV2 } from '../../components/billing-v2.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'
import { useOpenRecord } from '../../components/list-page/list-address.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { OtherCurrencies } from '../../components/other-currencies.tsx'
import { Uncounted } from '../../components/uncounted.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { useClock } from '../../ui/clock.ts'
import { StatCard, StatCards } from '../../ui/stat-card.tsx'
import { recentEventsColumns } from './recent-events-columns.tsx'
import { renewalsColumns } from './renewals-columns.tsx'

/** Shows the current figures, the latest changes and the next renewals. */
export function DashboardScreen() {
  return (
    <Stack gap="lg">
      <Figures />
      <RecentEvents />
      <UpcomingRenewals />
    </Stack>
  )
}

function Figures() {
  const stats = useEndpoint(getDashboardStats, {}, { staleTime: freshMs.records })
  const { currentMrr = 0, activeSubscriptions = 0, otherCurrencies = [] } = stats.data ?? {}
  const perCustomer = activeSubscriptions === 0 ? 0 : Math.round(currentMrr / activeSubscriptions)
  const shown = (value: string) => (stats.isError ? 'N/A' : value)
  return (
    <StatCards>
      <StatCard
        label="Current MRR"
        value={shown(formatMoney(currentMrr))}
        isLoading={stats.isPending}
        caption={
          <>
            <Text size="xs">As of today</Text>
            <Box mih={captionLine}>
              <OtherCurrencies totals={otherCurrencies} />
              <BillingV2 totals={stats.data?.billedByBillingV2} />
            </Box>
          </>
        }
      />
      <StatCard
        label="Active Subscriptions"
        value={shown(activeSubscriptions.toLocaleString('en-US'))}
        isLoading={stats.isPending}
        caption={<Uncounted count={stats.data?.unsupportedSubscriptions ?? 0} />}
      />
      <StatCard
        label="Avg Revenue Per Customer"
        value={shown(formatMoney(perCustomer))}
        isLoading={stats.isPending}
      />
    </StatCards>
  )
}

/** Keeps this space free, so that nothing below jumps when other currencies arrive. */
const captionLine = 'calc(var(--mantine-font-size-xs) * var(--mantine-line-height-xs))'

const recentMax = 10

/** The number of rows that a table is likely to get: none before the first import. */
function useExpectedRows(rowsMax: number): number {
  const { data: user } = useCurrentUser()
  return user?.setupProgress?.dataImported ? rowsMax : 0
}

function Section({ title, viewAll, children }: { title: string; viewAll: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Anchor component={Link} to={viewAll} size="sm" aria-label={`View All ${title}`}>
            View All
          </Anchor>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

function RecentEvents() {
  const open = useOpenRecord()
  const events = useEndpoint(getRecentTransactions, {}, { staleTime: freshMs.records })
  return (
    <Section title="Recent Events" viewAll={paths.events}>
      <RecordsTable
        label="Recent Events"
        columns={recentEventsColumns}
        records={events.data?.transactions}
        idOf={(event) => event.transactionId}
        isFetching={events.isPending}
        error={events.error}
        emptyText="No recent events found."
        emptyHint="Every change of MRR is listed here once your Stripe history is imported."
        expectedRows={useExpectedRows(recentMax)}
        errorText="An error occurred while fetching events."
        minWidth={720}
        onRetry={() => void events.refetch()}
        onOpen={({ relatedSubscriptionId: id }) =>
          id === null ? undefined : () => open(paths.subscription(id))
        }
      />
    </Section>
  )
}

function UpcomingRenewals() {
  const open = useOpenRecord()
  const now = useClock()
  const renewals = useEndpoint(getUpcomingRenewals, {}, { staleTime: freshMs.records })
  return (
    <Section title="Upcoming Renewals" viewAll={paths.subscriptions}>
      <RecordsTable
        label="Upcoming Renewals"
        columns={renewalsColumns(now())}
        records={renewals.data?.renewals}
        idOf={(renewal) => renewal.subscriptionId}
        isFetching={renewals.isPending}
        error={renewals.error}
        emptyText="No upcoming renewals found."
        emptyHint="Subscriptions that renew soon are listed here once your Stripe history is imported."
        expectedRows={useExpectedRows(recentMax)}
        errorText="An error occurred while fetching renewals."
        minWidth={640}
        onRetry={() => void renewals.refetch()}
        onOpen={({ subscriptionId }) =>
          () =>
            open(paths.subscription(subscriptionId))
          }
      />
    </Section>
  )
}
