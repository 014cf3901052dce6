import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { Box, Group, Text, useMantineTheme } from '@mantine/core'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { formatMoney, formatMoneyChange } from '../../figures/format-money.ts'
import { ChartTooltip } from '../chart-tooltip.tsx'
import {
  fxColor,
  fxName,
  type MovementColor,
  movementColors,
  partText,
  periodLabel,
  periodText,
} from './movement-words.ts'
import { Swatch } from './swatch.tsx'
import { axisOf } from './ticks.ts'

type Period = MovementsAnswer['periods'][number]

/** What a screen reader calls the chart. Arrow keys go through its periods; the table beside it has the figures. */
function named(periods: readonly Period[]): { 'aria-label': string } {
  const names = [periods[0], periods.at(-1)].flatMap((period) => (period ? periodText(period) : []))
  return { 'aria-label': `Chart of MRR movements, ${names.join(' to ')}` }
}

type MovementsChartProps = {
  periods: Period[]
  currency: string
  height?: number | string
  hasLegend?: boolean
}

/** Draws what moved MRR: increases above zero, decreases below it, and a line for the net of both. */
export function MovementsChart({ periods, currency, height = 300, hasLegend = true }: MovementsChartProps) {
  const byName = new Map(periods.map((period) => [period.name, period]))
  const hasFx = periods.some(({ fx = 0 }) => fx !== 0)
  const axis = axisOf(
    periods.flatMap(({ moves, net, fx = 0 }) => {
      const bars = [...moves, { change: fx }]
      return [rises(bars), falls(bars), net]
    }),
  )
  const colors = hasFx ? { ...movementColors, [fxName]: fxColor } : movementColors
  const series = Object.entries(colors).map(([name, { color }]) => ({ name, color, type: 'bar' as const }))
  const tickOf = (name: string) => {
    const period = byName.get(name)
    const part = period === undefined || period.isRunning ? null : partText(period)
    return part ?? periodLabel(name)
  }
  const striped = new Set(Object.entries(colors).flatMap(([name, { isStriped }]) => (isStriped ? name : [])))
  return (
    <>
      {hasLegend ? <Legend colors={colors} /> : null}
      <Stripes />
      <CompositeChart
        h={height}
        data={periods.map((period) => ({
          ...Object.fromEntries(period.moves.map(({ movement, change }) => [movement, change])),
          [fxName]: period.fx ?? 0,
          name: period.name,
          net: period.net,
          isPart: partText(period) !== null,
        }))}
        dataKey="name"
        series={[...series, { name: 'net', label: 'Net', color: 'var(--mantine-color-text)', type: 'line' }]}
        curveType="linear"
        maxBarWidth={40}
        composedChartProps={{ stackOffset: 'sign', ...named(periods) }}
        barProps={({ name, color }) => ({
          stackId: 'moves',
          isAnimationActive: false,
          shape: (bar: unknown) => (
            <Bar {...toBar(bar)} color={color ?? 'gray.6'} isStriped={striped.has(name)} />
          ),
        })}
        lineProps={{ isAnimationActive: false }}
        xAxisProps={{ minTickGap: 24, interval: 'equidistantPreserveStart', tickFormatter: tickOf }}
        yAxisProps={{
          width: 72,
          ...axis,
          tickFormatter: (cents: number) => roughFormat(currency).format(cents / 10 ** digitsOf(currency)),
        }}
        referenceLines={[{ y: 0, color: 'var(--mantine-color-dimmed)' }]}
        tooltipProps={{
          content: ({ label }) => <PeriodTooltip period={byName.get(String(label))} currency={currency} />,
        }}
      />
    </>
  )
}

function Legend({ colors }: { colors: Record<string, MovementColor> }) {
  return (
    <Group gap="md" aria-hidden>
      {Object.entries(colors).map(([name, color]) => (
        <Group key={name} gap={6}>
          <Swatch {...color} />
          <Text size="xs">{name}</Text>
        </Group>
      ))}
      <Group gap={6}>
        <Box w={14} h={2} bg="var(--mantine-color-text)" />
        <Text size="xs">Net</Text>
      </Group>
    </Group>
  )
}

type Moves = { change: number }[]
const rises = (moves: Moves) => moves.reduce((sum, { change }) => sum + Math.max(0, change), 0)
const falls = (moves: Moves) => moves.reduce((sum, { change }) => sum + Math.min(0, change), 0)

function roughFormat(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  })
}

function digitsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  )
}

type Drawn = { x: number; y: number; width: number; height: number; isPart: boolean }

/** What the chart tells of a bar; a bar below zero has a negative height. */
function toBar(bar: unknown): Drawn {
  const { x, y, width, height, payload } = Object(bar)
  return {
    x: Number(x),
    y: Math.min(Number(y), Number(y) + Number(height)),
    width: Number(width),
    height: Math.abs(Number(height)),
    isPart: Object(payload).isPart === true,
  }
}

const stripesId = 'movement-stripes'

/** The stripes that bars refer to. */
function Stripes() {
  return (
    <svg width={0} height={0} aria-hidden style={{ position: 'absolute' }}>
      <defs>
        <pattern
          id={stripesId}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={2} height={6} style={{ fill: 'var(--mantine-color-body)' }} />
        </pattern>
      </defs>
    </svg>
  )
}

/** A bar is pale with a broken edge if it lacks days of its period, or the period still runs. */
function Bar({ isPart, isStriped, color, ...place }: Drawn & MovementColor) {
  const theme = useMantineTheme()
  const [hue = 'gray', shade = '6'] = color.split('.')
  const fill = theme.colors[hue]?.[Number(shade)] ?? color
  return (
    <>
      {isPart ? (
        <rect {...place} fill={fill} fillOpacity={0.35} stroke={fill} strokeDasharray="3 3" />
      ) : (
        <rect {...place} fill={fill} />
      )}
      {isStriped ? <rect {...place} fill={`url(#${stripesId})`} /> : null}
    </>
  )
}

function PeriodTooltip({ period, currency }: { period: Period | undefined; currency: string }) {
  if (period === undefined) return null
  return (
    <ChartTooltip title={periodText(period)}>
      <Text size="sm">Start: {formatMoney(period.start, currency)}</Text>
      {period.moves
        .filter(({ events }) => events > 0)
        .map(({ movement, change, events }) => (
          <Text key={movement} size="sm">
            {movement}: {formatMoneyChange(change, currency)} ({events.toLocaleString('en-US')})
          </Text>
        ))}
      <Text size="sm">Net: {formatMoneyChange(period.net, currency)}</Text>
      {period.fx ? (
        <Text size="sm">
          {fxName}: {formatMoneyChange(period.fx, currency)}
        </Text>
      ) : null}
      <Text size="sm">End: {formatMoney(period.end, currency)}</Text>
    </ChartTooltip>
  )
}
