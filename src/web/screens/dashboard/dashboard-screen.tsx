import { Anchor, Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { getRecentTransactions, getUpcomingRenewals } from '#contract/dashboard.ts'
import { useEndpoint } from '../../client.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { eventCard } from '../../components/record-cards/event-card.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { useClock } from '../../ui/clock.ts'
import { AttentionCard, useAttention } from './attention-card.tsx'
import classes from './dashboard.module.css'
import { Figures, useFigures } from './figures.tsx'
import { MonthFigures } from './month-figures.tsx'
import { MovementsSection } from './movements-section.tsx'
import { recentEventsColumns } from './recent-events-columns.tsx'
import { renewalCard, renewalsColumns } from './renewals-columns.tsx'
import { SetupCard } from './setup-card.tsx'

/** Shows what is left of the setup, the figures of today and of the month, what needs attention, and the latest rows. */
export function DashboardScreen() {
  const attention = useAttention()
  const { isShown, isMonthAwaited, hasFigures, ...figures } = useFigures()
  return (
    <Stack gap="lg">
      <SetupCard hasFigures={hasFigures} />
      <Figures {...figures} hasFigures={hasFigures} hasCourse={isShown} />
      {isShown ? (
        <div className={`${classes.parts} ${attention === null ? '' : classes.wide}`}>
          {attention === null ? null : (
            <div className={classes.attention}>
              <AttentionCard {...attention} />
            </div>
          )}
          <div className={classes.month}>
            <MonthFigures trends={figures.trends} isLoading={isMonthAwaited} />
          </div>
          <div className={classes.movements}>
            <MovementsSection />
          </div>
        </div>
      ) : attention === null ? null : (
        <AttentionCard {...attention} />
      )}
      <RecentEvents />
      <UpcomingRenewals />
    </Stack>
  )
}

const recentMax = 5

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
        cardOf={eventCard}
        onRetry={() => void events.refetch()}
        linkOf={eventTarget}
      />
    </Section>
  )
}

const allRenewals = `${paths.subscriptions}?${new URLSearchParams({
  renewsWithinDays: '90',
  sort: 'nextRenewalDate',
  order: 'asc',
})}`

function UpcomingRenewals() {
  const now = useClock()
  const renewals = useEndpoint(getUpcomingRenewals, {}, { staleTime: freshMs.records })
  return (
    <Section title="Upcoming Renewals" viewAll={allRenewals}>
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
        cardOf={renewalCard(now())}
        onRetry={() => void renewals.refetch()}
        linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
      />
    </Section>
  )
}
