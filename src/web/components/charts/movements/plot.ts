import type { MovementsAnswer } from '#contract/mrr.ts'
import { fxName, type PartName } from './movement-words.ts'
import { axisOf } from './ticks.ts'

type Period = MovementsAnswer['periods'][number]

/** What a period's bar is made of: shares of the height, from the top of the chart. */
type Piece = { name: PartName; top: number; height: number }

/** A chart of movements before it is drawn. Places are shares of the height, 0 at the top and 1 at the bottom. */
export type Plot = {
  bars: { period: Period; pieces: Piece[]; net: number; before: { period: Period; net: number } | null }[]
  /** Values of the axis in minor units, from the lowest. */
  ticks: { value: number; at: number }[]
}

/**
 * Stacks what raised MRR upwards from zero and what lowered it downwards, in the order in which movements are told. `before`
 * has the period that is compared with each, where there is one.
 */
export function plotOf(periods: readonly Period[], before: readonly (Period | undefined)[] = []): Plot {
  const stacks = periods.map((period) => ({ period, stack: stackOf(period) }))
  const ends = [
    ...stacks.flatMap(({ stack }) => stack.flatMap(({ from, to }) => [from, to])),
    ...[...periods, ...before].flatMap((period) => period?.net ?? []),
  ]
  const { ticks, domain } = axisOf(ends)
  const [low, high] = domain
  const place = (value: number) => (high === low ? 0.5 : (high - value) / (high - low))
  const beside = (at: number) => {
    const period = before[at]
    return period === undefined ? null : { period, net: place(period.net) }
  }
  return {
    bars: stacks.map(({ period, stack }, at) => ({
      period,
      pieces: stack.map(({ name, from, to }) => ({
        name,
        top: place(to),
        height: place(from) - place(to),
      })),
      net: place(period.net),
      before: beside(at),
    })),
    ticks: ticks.map((value) => ({ value, at: place(value) })),
  }
}

type Reach = { name: PartName; from: number; to: number }

/** From where to where each part reaches, in minor units; `to` is the upper end. */
function stackOf({ moves, fx = 0 }: Period): Reach[] {
  let [up, down] = [0, 0]
  const reach = (name: PartName, change: number): Reach[] => {
    if (change === 0) return []
    if (change < 0) {
      down += change
      return [{ name, from: down, to: down - change }]
    }
    up += change
    return [{ name, from: up - change, to: up }]
  }
  return [...moves.flatMap(({ movement, change }) => reach(movement, change)), ...reach(fxName, fx)]
}
