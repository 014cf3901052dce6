import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ChartTooltip } from '../../components/charts/chart-tooltip.tsx'
import { axisOf, chartMargin, isNamed } from '../../components/charts/movements/ticks.ts'
import { currencyName, formatMoney, formatRoughly } from '../../components/figures/format-money.ts'
import { belowHeader, placeOfPart } from '../../components/jump-links.tsx'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { OtherCurrencies } from '../../components/other-currencies.tsx'
import { ViewSwitch } from '../../components/view-switch.tsx'
import { formatMonth } from '../../ui/dates.ts'
import { problemText } from '../../ui/problems/problem-text.ts'
import { type MrrPoint, momentOf, pointNames } from './mrr-points.ts'
import type { ChartView } from './views.ts'

const heightPx = 300

const words = {
  historical: {
    title: 'Monthly MRR Snapshots',
    figure: 'Latest Snapshot',
    empty: 'No snapshot data available',
    hint: 'Snapshots will be generated automatically on the 1st of each month',
    formula:
      'Each snapshot is the MRR at the start of its month, the 1st at 00:00 UTC. What MRR came to in the month is the End of MRR Movements.',
  },
  'real-time': {
    title: 'MRR Trend',
    figure: 'Current MRR',
    empty: 'No MRR data available',
    hint: 'Import subscription data to see MRR trends',
    formula: 'MRR at the start of each month, the 1st at 00:00 UTC, and now.',
  },
} as const

const outOfRange = { empty: 'No figure in this date range', hint: 'Choose other days, or all time' }

/** What the card is called in each of its views. */
export const titleOfChart = (view: ChartView) => words[view].title

type MrrChartCardProps = {
  view: ChartView
  onView: (view: ChartView) => void
  /** The currency of all figures; undefined while they load. */
  currency: string | undefined
  points: MrrPoint[]
  /** Whether there are points, all outside the chosen days. */
  isOutOfRange: boolean
  /** The figure beside the title; without it, the figure of the last point. */
  currentMrrCents?: number | undefined
  /** Where the points are saved as CSV. */
  csvHref: string
  isLoading: boolean
  error: Error | null
}

/** Draws MRR by month as a line: the snapshots of its months, or what is counted now. */
export function MrrChartCard(props: MrrChartCardProps) {
  const {
    view,
    onView,
    currency = 'usd',
    points,
    isOutOfRange,
    currentMrrCents,
    csvHref,
    isLoading,
    error,
  } = props
  const { title, figure, formula } = words[view]
  const { empty, hint } = isOutOfRange ? outOfRange : words[view]
  const last = points.at(-1)
  const figureCents = currentMrrCents ?? last?.mrrCents
  return (
    <Card withBorder component="section" aria-label={title} id={placeOfPart(title)} className={belowHeader}>
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} size="h5">
              {title}
            </Title>
            <ViewSwitch
              label="MRR shown"
              value={view}
              onChange={onView}
              options={[
                { value: 'historical', label: 'Historical' },
                { value: 'real-time', label: 'Real-time' },
              ]}
            />
          </Group>
          <Group gap="sm">
            {figureCents === undefined || last === undefined ? null : (
              <div>
                <Text size="sm">
                  {figure}: <strong>{formatMoney(figureCents, currency)}</strong>
                </Text>
                <Text size="xs" c="dimmed">
                  As of {currentMrrCents === undefined ? momentOf(last) : 'now'}
                </Text>
                <OtherCurrencies totals={last.otherCurrencies} />
              </div>
            )}
            <CsvButton href={csvHref} of={title} />
          </Group>
        </Group>
        <Text size="xs" c="dimmed">
          {formula}
        </Text>
        {isLoading ? (
          <Skeleton height={heightPx} />
        ) : points.length === 0 ? (
          <Stack h={heightPx} align="center" justify="center" gap={4}>
            <Text fw={600}>{error === null ? empty : 'The chart could not be loaded'}</Text>
            <Text c="dimmed" size="sm" ta="center">
              {error === null ? hint : problemText(error)}
            </Text>
          </Stack>
        ) : (
          <Chart points={points} currency={currency} />
        )}
      </Stack>
    </Card>
  )
}

/** A phone has room for the names of this many months where they are all, and the first and last stand at the edges. */
const allNamedMax = 4

/** With room for the names of both axes. */
const margin = { ...chartMargin, bottom: 30, left: 10, right: 5 }

function Chart({ points, currency }: { points: MrrPoint[]; currency: string }) {
  // The key is the date, because two points of the current month have the same name.
  const byDate = new Map(points.map((point) => [point.month, point]))
  const names = pointNames(points)
  const most = useIsNarrow() ? 3 : 8
  return (
    <LineChart
      h={heightPx}
      data={points.map((point) => ({ month: point.month, mrr: point.mrrCents }))}
      dataKey="month"
      series={[{ name: 'mrr', label: 'MRR', color: 'teal.6' }]}
      curveType="monotone"
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ accessibilityLayer: true, margin, ...named(points, currency) }}
      valueFormatter={(cents) => formatMoney(cents, currency)}
      xAxisLabel="Month"
      yAxisLabel={`MRR in ${currencyName(currency)}`}
      xAxisProps={{
        ticks: points
          .filter((_, at) => points.length <= allNamedMax || isNamed(at, points.length, most))
          .map(({ month }) => month),
        interval: 0,
        tickFormatter: (month: string) => names.get(month) ?? month,
        // Half the name of the last point, which a phone names even where it stands close to the edge.
        padding: { right: 24 },
      }}
      yAxisProps={{
        ...axisOf(points.map(({ mrrCents }) => mrrCents)),
        width: 72,
        tickFormatter: (cents: number) => formatRoughly(cents, currency),
      }}
      tooltipProps={{
        content: ({ label }) => <PointTooltip point={byDate.get(String(label))} currency={currency} />,
      }}
    />
  )
}

/** What a screen reader calls the chart: where it begins and ends. Arrow keys go through its months. */
function named(points: readonly MrrPoint[], currency: string): { 'aria-label': string } {
  const ends = [points[0], points.at(-1)].flatMap((point) =>
    point ? `${formatMoney(point.mrrCents, currency)} in ${formatMonth(point.month)}` : [],
  )
  return { 'aria-label': `Chart of MRR, ${ends.join(' to ')}` }
}

function PointTooltip({ point, currency }: { point: MrrPoint | undefined; currency: string }) {
  if (point === undefined) return null
  return (
    <ChartTooltip title={formatMonth(point.month)}>
      <Text size="xs">As of {momentOf(point)}</Text>
      <Text size="sm">MRR: {formatMoney(point.mrrCents, currency)}</Text>
      {point.activeSubscriptions === null ? null : (
        <Text size="sm">Active subscriptions: {point.activeSubscriptions.toLocaleString('en-US')}</Text>
      )}
      <OtherCurrencies totals={point.otherCurrencies} isPlain />
    </ChartTooltip>
  )
}
