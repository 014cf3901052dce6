import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { getDashboardStats } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getMrrMovements } from '#contract/mrr.ts'
import { useEndpoint } from '../../client.ts'
import { BillingV2 } from '../../components/billing-v2.tsx'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { AsOf } from '../../components/figures/as-of.tsx'
import { Converting, pollWhileConverting } from '../../components/figures/converting.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'
import { OtherCurrencies } from '../../components/other-currencies.tsx'
import { Term } from '../../components/terms/term.tsx'
import { Uncounted } from '../../components/uncounted.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { yearOfMovements } from '../../queries/movements.ts'
import { useRefreshAfter } from '../../queries/records.ts'
import { useCurrentUser, useObstacles } from '../../queries/session.ts'
import { runPollMs, useIsFirstImport } from '../../queries/sync-status.ts'
import { useClock } from '../../ui/clock.ts'
import { StatCard, StatCards } from '../../ui/stat-card.tsx'
import { leadTo } from './card-link.tsx'
import { ActiveWithoutMrr, CountSince, MoneySince, PayingNotActive } from './since-month-start.tsx'
import { averageOf, type Trend, trendsOf } from './trends.ts'

type Stats = ResponseOf<typeof getDashboardStats>

const nothing: Pick<
  Stats,
  | 'isCurrencyChanging'
  | 'currentMrr'
  | 'activeSubscriptions'
  | 'activeInList'
  | 'payingSubscriptions'
  | 'otherCurrencies'
> = {
  currentMrr: 0,
  activeSubscriptions: 0,
  activeInList: 0,
  payingSubscriptions: 0,
  otherCurrencies: [],
}

/** The figures of today, their course over twelve months, and the running month. */
export function useFigures() {
  const isImporting = useIsFirstImport()
  const refetchInterval = isImporting ? runPollMs : pollWhileConverting
  const stats = useEndpoint(getDashboardStats, {}, { staleTime: freshMs.records, refetchInterval })
  useRefreshAfter(stats.data?.isConverting === true)
  const now = useClock()
  const year = useEndpoint(getMrrMovements, yearOfMovements(now()), { staleTime: freshMs.records })
  const isImported = useCurrentUser().data?.setupProgress?.dataImported === true
  const known = stats.data ?? nothing
  const hasNone = known.currentMrr === 0 && known.activeSubscriptions === 0
  return {
    stats,
    trends:
      stats.data && year.data && !known.isCurrencyChanging
        ? trendsOf(year.data, known.payingSubscriptions)
        : null,
    isMonthAwaited: stats.isPending || year.isPending || known.isCurrencyChanging === true,
    /** Whether there is anything imported, also after a reset of the setup; undefined while it is not known. */
    hasFigures: isImported || (stats.data === undefined ? undefined : !hasNone),
    /** Before the first import has ended, nothing has moved yet. */
    isShown: !isImporting && (isImported || stats.isError || !hasNone),
  }
}

type FiguresProps = Pick<ReturnType<typeof useFigures>, 'stats' | 'trends' | 'hasFigures'> & {
  /** Whether the places of courses and changes are kept until they are known. */
  hasCourse: boolean
}

/** Shows the three figures of today, each with a link to what it counts. */
export function Figures({ stats, trends, hasFigures, hasCourse }: FiguresProps) {
  const { currentMrr, activeSubscriptions, activeInList, payingSubscriptions, otherCurrencies } =
    stats.data ?? nothing
  const currency = stats.data?.reportingCurrency
  const isImporting = useIsFirstImport()
  const isStripeMissing = useObstacles().missing.includes('Stripe')
  // Until it is known, nobody sees the amount.
  const isAmountAwaited = stats.isPending || stats.data?.isCurrencyChanging === true
  const money = (cents: number) => formatMoney(cents, currency ?? 'usd')
  const shown = (value: string) => (stats.isError ? 'N/A' : value)
  const perCustomer = averageOf(currentMrr, activeSubscriptions)
  const hasOthers = payingSubscriptions !== activeSubscriptions
  return (
    <StatCards>
      <StatCard
        label="Current MRR"
        explained={<Term name="mrr">Current MRR</Term>}
        value={shown(money(currentMrr))}
        isLoading={isAmountAwaited}
        linked={leadTo(byMrr)}
        trend={hasCourse ? draw('MRR', trends?.mrr, money) : undefined}
        caption={
          <>
            <Line isKept={hasCourse}>
              {trends && (
                <MoneySince
                  {...trends.mrr}
                  month={trends.month}
                  currency={trends.currency}
                  isLinked={trends.month.fx === undefined}
                />
              )}
            </Line>
            <AsOf isImporting={isImporting} isStripeMissing={isStripeMissing} hasFigures={hasFigures} />
            <Line isKept={hasCourse}>
              <Converting isShown={stats.data?.isConverting} />
              <OtherCurrencies totals={otherCurrencies} />
              <BillingV2 totals={stats.data?.billedByBillingV2} />
            </Line>
          </>
        }
      />
      <StatCard
        label="Active Subscriptions"
        value={shown(activeSubscriptions.toLocaleString('en-US'))}
        isLoading={stats.isPending}
        linked={leadTo(`${paths.subscriptions}?status=active`)}
        trend={hasCourse ? draw('Paying subscriptions', trends?.subscriptions, String) : undefined}
        caption={
          <>
            <Line isKept={hasCourse}>
              {trends && <CountSince {...trends.subscriptions} month={trends.month} />}
            </Line>
            <Line isKept={hasCourse}>
              <ActiveWithoutMrr
                count={activeInList - activeSubscriptions}
                otherThan={otherCurrencies.length === 0 ? null : currency}
              />
            </Line>
            <PayingNotActive count={payingSubscriptions - activeSubscriptions} />
            <Uncounted count={stats.data?.unsupportedSubscriptions ?? 0} />
          </>
        }
      />
      <StatCard
        label="Avg Revenue Per Customer"
        explained={<Term name="averageRevenue">Avg Revenue Per Customer</Term>}
        value={shown(money(perCustomer))}
        isLoading={isAmountAwaited}
        linked={leadTo(`${paths.customers}?sort=currentMrr`)}
        trend={hasCourse ? draw('MRR per paying subscription', trends?.perSubscription, money) : undefined}
        caption={
          <>
            <Line isKept={hasCourse}>
              {trends && (
                <MoneySince
                  {...trends.perSubscription}
                  month={trends.month}
                  currency={trends.currency}
                  of={hasOthers ? 'per paying one' : undefined}
                />
              )}
            </Line>
            <Text size="xs">MRR per active subscription</Text>
          </>
        }
      />
    </StatCards>
  )
}

const byMrr = `${paths.subscriptions}?sort=currentMrr`

/** One line of a caption, whose place may be kept until its text is known. */
function Line({ isKept, children }: { isKept: boolean; children: ReactNode }) {
  if (!isKept) return children
  return <Box mih="calc(var(--mantine-font-size-xs) * var(--mantine-line-height-xs))">{children}</Box>
}

/** Draws a figure's course. The ledger keeps no statuses, so its lines count what pays, where the cards count what is active. */
function draw(what: string, trend: Trend | undefined, write: (value: number) => string) {
  if (trend === undefined) return null
  const [from = 0, to = 0] = [trend.values[0], trend.values.at(-1)]
  return (
    <Sparkline values={trend.values} label={`${what} over 12 months, from ${write(from)} to ${write(to)}`} />
  )
}
