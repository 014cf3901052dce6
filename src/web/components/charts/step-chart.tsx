import { dayOfDate } from '#domain/instant.ts'
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { Text } from '@mantine/core'
import type { MrrSeries } from '#contract/customers/mrr-history.ts'
import { formatDay, formatMonth } from '../../ui/dates.ts'
import { formatMoney, formatRoughly } from '../figures/format-money.ts'
import { useIsNarrow } from '../list-page/use-is-narrow.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { axisOf, chartMargin, timeTicks } from './movements/ticks.ts'

type StepChartProps = { series: MrrSeries; heightPx: number }

const dayMs = 86_400_000
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number) => dayOfDate(new Date(time))

/** The steps, from zero on the day before the first change. */
function stepsOf(points: MrrSeries['points']): { at: number; mrr: number }[] {
  const steps = points.map(({ day, mrr }) => ({ at: timeOf(day), mrr }))
  const [first] = steps
  return first === undefined ? [] : [{ at: first.at - dayMs, mrr: 0 }, ...steps]
}

/** Draws MRR as steps: each level holds until the next change, and the last one until today. */
export function StepChart({ series, heightPx }: StepChartProps) {
  const { currency, points } = series
  const steps = stepsOf(points)
  const { ticks, areDays } = timeTicks(steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0, useIsNarrow() ? 3 : 8)
  const formatTick = areDays ? formatDay : formatMonth
  return (
    <AreaChart
      h={heightPx}
      data={steps}
      dataKey="at"
      series={[{ name: 'mrr', label: 'MRR', color: 'teal.6' }]}
      curveType="stepAfter"
      areaProps={{ isAnimationActive: false }}
      areaChartProps={{ accessibilityLayer: true, margin: chartMargin, ...named(series) }}
      withDots={points.length < 60}
      fillOpacity={0.15}
      valueFormatter={(amount) => formatMoney(amount, currency)}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        ticks,
        interval: 0,
        // Half the name of the last tick, which may stand at the edge.
        padding: { right: 32 },
        tickFormatter: (time: number) => formatTick(dayOf(time)),
      }}
      yAxisProps={{
        ...axisOf(steps.map(({ mrr }) => mrr)),
        width: 64,
        tickFormatter: (amount: number) => formatRoughly(amount, currency),
      }}
      tooltipProps={{
        content: ({ label, payload }) => (
          <LevelTooltip time={label} amount={payload?.[0]?.value} currency={currency} />
        ),
      }}
    />
  )
}

/** What a screen reader calls the chart: where it begins and ends. */
function named({ currency, points }: MrrSeries): { 'aria-label': string } {
  const ends = [points[0], points.at(-1)].flatMap((point) =>
    point ? `${formatMoney(point.mrr, currency)} on ${formatDay(point.day)}` : [],
  )
  return { 'aria-label': `Chart of MRR, ${ends.join(' to ')}` }
}

type LevelTooltipProps = { time: unknown; amount: unknown; currency: string }

function LevelTooltip({ time, amount, currency }: LevelTooltipProps) {
  if (typeof time !== 'number' || typeof amount !== 'number') return null
  return (
    <ChartTooltip title={formatDay(dayOf(time))}>
      <Text size="sm">MRR: {formatMoney(amount, currency)}</Text>
    </ChartTooltip>
  )
}
