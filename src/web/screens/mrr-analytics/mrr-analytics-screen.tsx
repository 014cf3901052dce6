import { Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { getDashboardStats, getMrrTrend } from '#contract/dashboard.ts'
import { exportMrrTrend, exportSnapshots } from '#contract/lists/figure-exports.ts'
import { listMrrSnapshots } from '#contract/mrr.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { LeftOutNote } from '../../components/address/left-out-note.tsx'
import { unknownChoices, useAddressChoice } from '../../components/address/use-address-choice.ts'
import { BillingV2 } from '../../components/billing-v2.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { useDateRange } from '../../components/date-range/use-date-range.ts'
import { AsOf } from '../../components/figures/as-of.tsx'
import { Converting, pollWhileConverting } from '../../components/figures/converting.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'
import { JumpLinks } from '../../components/jump-links.tsx'
import { OtherCurrencies } from '../../components/other-currencies.tsx'
import { Term } from '../../components/terms/term.tsx'
import { Uncounted } from '../../components/uncounted.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { movementsOf } from '../../queries/movements.ts'
import { useRefreshAfter, useRefreshRecords } from '../../queries/records.ts'
import { useObstacles } from '../../queries/session.ts'
import { useIsFirstImport } from '../../queries/sync-status.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { StatCard, StatCards } from '../../ui/stat-card.tsx'
import { CohortsCard } from './cohorts/cohorts-card.tsx'
import { RetentionCard } from './cohorts/retention-card.tsx'
import { FiguresToCome, useHasFigures } from './figures-to-come.tsx'
import { MovementsCard } from './movements/movements-card.tsx'
import { MrrChartCard, titleOfChart } from './mrr-chart-card.tsx'
import { type MrrPoint, pointsWithin, snapshotPoints, trendPoints } from './mrr-points.ts'
import { SegmentsCard } from './segments/segments-card.tsx'
import { views } from './views.ts'

const options = { staleTime: freshMs.records }

/** Shows the recurring revenue of today and of each month. */
export function MrrAnalyticsScreen() {
  const snapshots = useEndpoint(listMrrSnapshots, {}, options)
  const trend = useEndpoint(getMrrTrend, {}, options)
  const stats = useEndpoint(getDashboardStats, {}, { ...options, refetchInterval: pollWhileConverting })
  useRefreshAfter(stats.data?.isConverting === true)
  const range = useDateRange('all')
  const chart = useAddressChoice(views.chart)
  const days = movementsOf(range.days).query
  const within = (all: MrrPoint[]) => {
    const points = pointsWithin(all, range.days)
    return { points, isOutOfRange: points.length === 0 && all.length > 0 }
  }
  const queries = [snapshots, trend, stats]
  const refresh = useRefreshRecords()
  const hasFigures = useHasFigures()
  const isImporting = useIsFirstImport()
  const isStripeMissing = useObstacles().missing.includes('Stripe')
  const { activeSubscriptions, otherCurrencies = [], unsupportedSubscriptions = 0 } = stats.data ?? {}
  return (
    <Stack gap="lg" className="printed-wide">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <div>
          <Text c="dimmed" fz={{ base: 'sm', sm: 'md' }}>
            Monthly Recurring Revenue analysis and trending
          </Text>
          <Group gap="sm">
            <Anchor component={Link} to={paths.whatChanged} size="sm">
              Rule Changes
            </Anchor>
            <Anchor component={Link} to={paths.terms} size="sm">
              Terms and Rules
            </Anchor>
          </Group>
        </div>
        <StartButton
          variant="default"
          style={{ flexShrink: 0 }}
          leftSection={<IconRefresh size={16} aria-hidden />}
          isBusy={queries.some((query) => query.isFetching)}
          onClick={() => void refresh()}
        >
          Refresh Data
        </StartButton>
      </Group>
      {hasFigures === true ? (
        <JumpLinks
          titles={['MRR Movements', titleOfChart(chart.value), 'Retention', 'Segments', 'Cohorts']}
        />
      ) : null}
      <StatCards>
        <StatCard
          label="Current MRR"
          explained={<Term name="mrr">Current MRR</Term>}
          value={
            stats.data === undefined
              ? 'N/A'
              : formatMoney(stats.data.currentMrr, stats.data.reportingCurrency)
          }
          isLoading={stats.isPending || stats.data?.isCurrencyChanging === true}
          caption={
            <>
              <AsOf isImporting={isImporting} isStripeMissing={isStripeMissing} hasFigures={hasFigures} />
              <Text size="xs">Real-time calculation from active subscriptions</Text>
              {/* The place of a line that many have is kept. */}
              <Box mih="calc(var(--mantine-font-size-xs) * var(--mantine-line-height-xs))">
                <Converting isShown={stats.data?.isConverting} />
                <OtherCurrencies totals={otherCurrencies} />
                <BillingV2 totals={stats.data?.billedByBillingV2} />
              </Box>
            </>
          }
        />
        <StatCard
          label="Active Subscriptions"
          value={activeSubscriptions?.toLocaleString('en-US') ?? 'N/A'}
          isLoading={stats.isPending}
          caption={
            <>
              <Text size="xs">Subscriptions with 'active' status contributing to MRR</Text>
              <Uncounted count={unsupportedSubscriptions} />
            </>
          }
        />
      </StatCards>
      {hasFigures === true ? <DateRange controls={range} /> : null}
      <UnknownViews />
      {hasFigures === undefined ? <Skeleton h={500} /> : null}
      {hasFigures === false ? <FiguresToCome /> : null}
      {hasFigures === true ? <MovementsCard range={range} /> : null}
      {hasFigures === undefined ? null : chart.value === 'historical' ? (
        <MrrChartCard
          view="historical"
          onView={chart.choose}
          currency={snapshots.data?.reportingCurrency}
          csvHref={buildUrl(exportSnapshots.path, {}, days)}
          {...within(snapshotPoints(snapshots.data?.snapshots ?? []))}
          isLoading={snapshots.isPending}
          error={snapshots.error}
        />
      ) : (
        <MrrChartCard
          view="real-time"
          onView={chart.choose}
          currency={trend.data?.reportingCurrency}
          csvHref={buildUrl(exportMrrTrend.path, {}, days)}
          {...within(trendPoints(trend.data?.mrrTrend ?? []))}
          currentMrrCents={trend.data?.currentMrr}
          isLoading={trend.isPending}
          error={trend.error}
        />
      )}
      {hasFigures === true ? (
        <>
          <RetentionCard range={range} />
          <SegmentsCard range={range} />
          <CohortsCard range={range} />
        </>
      ) : null}
    </Stack>
  )
}

function UnknownViews() {
  const [params, setParams] = useSearchParams()
  const leftOut = unknownChoices(params, Object.values(views))
  const forget = () => {
    const next = new URLSearchParams(params)
    for (const { name } of leftOut) next.delete(name)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return <LeftOutNote leftOut={leftOut} onRemove={forget} />
}
