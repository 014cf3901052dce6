import type { MovementsAnswer } from '#contract/mrr.ts'

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
  for (const period of periods.toReversed()) subscriptions.unshift((subscriptions[0] ?? 0) - period.paying)
  const perSubscription = mrr.map((cents, at) => averageOf(cents, subscriptions[at] ?? 0))
  return {
    currency,
    mrr: { values: mrr, sinceMonthStart: month.end - month.start },
    subscriptions: { values: subscriptions, sinceMonthStart: month.paying },
    perSubscription: {
      values: perSubscription,
      sinceMonthStart: (perSubscription.at(-1) ?? 0) - (perSubscription.at(-2) ?? 0),
    },
    month,
  }
}

/** MRR by subscription, rounded to the minor unit; 0 where there are none. */
export function averageOf(mrrCents: number, subscriptions: number): number {
  return subscriptions <= 0 ? 0 : Math.round(mrrCents / subscriptions)
}
