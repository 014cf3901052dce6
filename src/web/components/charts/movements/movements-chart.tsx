import { Box } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { eventsAddress } from '../../events-address.ts'
import { formatRoughly } from '../../figures/format-money.ts'
import { useIsNarrow } from '../../list-page/use-is-narrow.ts'
import type { Beside } from './align-before.ts'
import { Legend } from './legend.tsx'
import { partColors, partText, periodLabel, periodText } from './movement-words.ts'
import classes from './movements-chart.module.css'
import parts from './part.module.css'
import { hasEvents, PeriodTooltip } from './period-tooltip.tsx'
import { type Plot, plotOf } from './plot.ts'
import { isNamed } from './ticks.ts'

type Period = MovementsAnswer['periods'][number]
type MovementsChartProps = {
  periods: readonly Period[]
  /** What is compared with the periods; undefined where nothing is, and until it is known. */
  before?: Beside | undefined
  currency: string
  height?: number | string
  hasLegend?: boolean
}

/**
 * Draws what moved MRR: increases above zero, decreases below it, and a line for the net of both. It is plain HTML, because
 * with a chart library the Dashboard takes a fifth longer.
 */
export function MovementsChart(props: MovementsChartProps) {
  const { periods, before, currency, height = 300, hasLegend = true } = props
  const plot = plotOf(periods, typeof before === 'object' ? before : [])
  const isNarrow = useIsNarrow()
  const namesMost = isNarrow ? 3 : 6
  // Below a thin bar at the edge of a phone, half of a name would be cut.
  const edge = isNarrow && periods.length > namesMost ? periods.length - 1 : -1
  return (
    <>
      {hasLegend ? (
        <Legend
          hasFx={periods.some(({ fx = 0 }) => fx !== 0)}
          before={typeof before === 'object' ? 'line' : before}
        />
      ) : null}
      <Box h={height} className={classes.chart}>
        <Amounts ticks={plot.ticks} currency={currency} />
        <Bars plot={plot} currency={currency} />
        <div className={classes.names} aria-hidden>
          {periods.map((period, index) =>
            isNamed(index, periods.length, namesMost) ? (
              <span
                key={period.name}
                className={classes.name}
                data-at-end={index === edge || undefined}
                style={index === edge ? {} : { left: percent((index + 0.5) / periods.length) }}
              >
                {shortName(period)}
              </span>
            ) : null,
          )}
        </div>
      </Box>
    </>
  )
}

const percent = (share: number) => `${share * 100}%`

/** A period of which days are missing is named by its days. */
function shortName(period: Period): string {
  return (period.isRunning ? null : partText(period)) ?? periodLabel(period.name)
}

function Amounts({ ticks, currency }: { ticks: Plot['ticks']; currency: string }) {
  return (
    <div className={classes.amounts} aria-hidden>
      {ticks.map(({ value, at }) => (
        <span key={value} className={classes.amount} style={{ top: percent(at) }}>
          {formatRoughly(value, currency)}
        </span>
      ))}
    </div>
  )
}

/**
 * The pointer, a finger or the arrow keys choose a period, which is then told. A click, a second tap or Enter opens its
 * events.
 */
function Bars({ plot: { bars, ticks }, currency }: { plot: Plot; currency: string }) {
  const [chosen, choose] = useState<number | null>(null)
  const navigate = useNavigate()
  const last = bars.length - 1
  const told = chosen === null ? undefined : bars[chosen]?.period
  const toldBefore = chosen === null ? undefined : bars[chosen]?.before?.period
  const open = () => {
    if (told !== undefined && hasEvents(told)) void navigate(eventsAddress({ from: told.from, to: told.to }))
  }
  /** The period on which a click began, if it was told before. */
  const pressed = useRef<number | null>(null)
  const at = ({ currentTarget, clientX }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length)))
  }
  const press = (event: PointerEvent) => {
    pressed.current = event.pointerType === 'mouse' || at(event) === chosen ? at(event) : null
    choose(at(event))
  }
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open()
    const steps: Record<string, number | null> = {
      ArrowLeft: Math.max(0, (chosen ?? bars.length) - 1),
      ArrowRight: Math.min(last, (chosen ?? -1) + 1),
      Home: 0,
      End: last,
      Escape: null,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <Box
      role="application"
      aria-label={named(bars)}
      aria-description="Arrow keys choose a period, and Enter opens its events."
      tabIndex={0}
      className={classes.plot}
      onPointerDown={press}
      onPointerMove={(event) => choose(at(event))}
      onClick={(event) => (at(event) === pressed.current ? open() : undefined)}
      onPointerLeave={({ pointerType }) => (pointerType === 'mouse' ? choose(null) : undefined)}
      onKeyDown={step}
      onBlur={() => choose(null)}
    >
      {ticks.map(({ value, at }) => (
        <div
          key={value}
          className={classes.line}
          data-zero={value === 0 || undefined}
          style={{ top: percent(at) }}
        />
      ))}
      {bars.map(({ period, pieces }, index) => (
        <div key={period.name} className={classes.period} data-chosen={index === chosen || undefined}>
          <div className={classes.bar}>
            {pieces.map(({ name, top, height }) => (
              <div
                key={name}
                className={`${classes.piece} ${parts.part}`}
                data-striped={partColors[name].isStriped}
                data-pale={partText(period) !== null || undefined}
                style={{ top: percent(top), height: percent(height), color: partColors[name].color }}
              />
            ))}
          </div>
        </div>
      ))}
      <Line className={classes.before} nets={bars.map(({ before }) => before?.net)} />
      <Line className={classes.net} nets={bars.map(({ net }) => net)} />
      {told === undefined ? null : (
        <div className={classes.tooltip} style={beside(chosen ?? 0, bars.length)}>
          <PeriodTooltip period={told} before={toldBefore} currency={currency} />
        </div>
      )}
    </Box>
  )
}

/** The place beside a bar, on its side with more room. It never covers the bar, and stays within the chart where it can. */
function beside(index: number, count: number) {
  return index * 2 < count - 1
    ? { left: `min(${percent((index + 1) / count)}, 100% - var(--tooltip-width))` }
    : { right: `min(${percent(1 - index / count)}, 100% - var(--tooltip-width))` }
}

/** What a screen reader calls the chart. Arrow keys go through its periods; a table or a list beside it has the figures. */
function named(bars: Plot['bars']): string {
  const span = (periods: readonly Period[]) =>
    [...new Set([periods[0], periods.at(-1)].flatMap((period) => (period ? periodText(period) : [])))].join(
      ' to ',
    )
  const before = span(bars.flatMap(({ before }) => before?.period ?? []))
  const compared = before === '' ? '' : `, compared with the net of ${before}`
  return `Chart of MRR movements, ${span(bars.map(({ period }) => period))}${compared}`
}

type LineProps = {
  className: string | undefined
  /** The place of each net, from the left; undefined where there is none. */
  nets: readonly (number | undefined)[]
}

/** A line through nets of periods. */
function Line({ className, nets }: LineProps) {
  const points = nets.flatMap((net, index) =>
    net === undefined ? [] : [{ x: percent((index + 0.5) / nets.length), y: percent(net) }],
  )
  return (
    <svg className={`${classes.across} ${className}`} aria-hidden>
      {points.map(({ x, y }, index) => {
        const before = points[index - 1]
        return (
          <g key={x}>
            {before === undefined ? null : <line x1={before.x} y1={before.y} x2={x} y2={y} />}
            <circle cx={x} cy={y} r={2} />
          </g>
        )
      })}
    </svg>
  )
}
