import type { MovementsAnswer } from '#contract/mrr.ts'
import type { Movement } from '#domain/movement.ts'

type Period = MovementsAnswer['periods'][number]

/** How a figure came to what it is now: its value at the start and at the end of each month. */
export type Trend = { values: number[]; sinceMonthStart: number }

export type Trends = {
  currency: string
  mrr: Trend
  subscriptions: Trend
  perSubscription: Trend
  /** The running month. */
  month: Period
}

/** The courses of the three figures over the months of the answer; null where nothing has moved yet. */
export function trendsOf({ periods, currency }: MovementsAnswer, payingNow: number): Trends | null {
  const [first] = periods
  const month = periods.find(({ isRunning }) => isRunning)
  if (first === undefined || month === undefined) return null
  const mrr = [first.start, ...periods.map(({ end }) => end)]
  const subscriptions = [payingNow]
  for (const period of periods.toReversed())
    subscriptions.unshift((subscriptions[0] ?? 0) - startedLessEnded(period))
  const perSubscription = mrr.map((cents, at) => averageOf(cents, subscriptions[at] ?? 0))
  return {
    currency,
    mrr: { values: mrr, sinceMonthStart: month.end - month.start },
    subscriptions: { values: subscriptions, sinceMonthStart: startedLessEnded(month) },
    perSubscription: {
      values: perSubscription,
      sinceMonthStart: (perSubscription.at(-1) ?? 0) - (perSubscription.at(-2) ?? 0),
    },
    month,
  }
}

/** By how much the number of paying subscriptions changed. */
function startedLessEnded({ moves }: Period): number {
  const eventsOf = (wanted: Movement) => moves.find(({ movement }) => movement === wanted)?.events ?? 0
  return eventsOf('New') + eventsOf('Reactivation') - eventsOf('Churn')
}

/** MRR by subscription, rounded to the minor unit; 0 where there are none. */
export function averageOf(mrrCents: number, subscriptions: number): number {
  return subscriptions <= 0 ? 0 : Math.round(mrrCents / subscriptions)
}
