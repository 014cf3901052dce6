import { Anchor, Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { getDashboardStats } from '#contract/dashboard.ts'
import { useEndpoint } from '../../client.ts'
import { BillingV2 } from '../../components/billing-v2.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'
import { OtherCurrencies } from '../../components/other-currencies.tsx'
import { Uncounted } from '../../components/uncounted.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { StatCard, StatCards } from '../../ui/stat-card.tsx'

/** Shows the three figures of today, each with a link to what it counts. Before the first import there are none. */
export function Figures() {
  const stats = useEndpoint(getDashboardStats, {}, { staleTime: freshMs.records })
  const {
    currentMrr = 0,
    reportingCurrency,
    activeSubscriptions = 0,
    otherCurrencies = [],
  } = stats.data ?? {}
  const perCustomer = activeSubscriptions === 0 ? 0 : Math.round(currentMrr / activeSubscriptions)
  const isImported = useCurrentUser().data?.setupProgress?.dataImported === true
  if (!isImported && !stats.isError && currentMrr === 0 && activeSubscriptions === 0) return null
  const shown = (value: string) => (stats.isError ? 'N/A' : value)
  return (
    <StatCards>
      <StatCard
        label="Current MRR"
        value={shown(formatMoney(currentMrr, reportingCurrency))}
        isLoading={stats.isPending}
        linked={leadTo(byMrr)}
        caption={
          <>
            <Text size="xs">As of today</Text>
            <Box mih={captionLine}>
              <OtherCurrencies totals={otherCurrencies} />
              <BillingV2 totals={stats.data?.billedByBillingV2} />
            </Box>
          </>
        }
      />
      <StatCard
        label="Active Subscriptions"
        value={shown(activeSubscriptions.toLocaleString('en-US'))}
        isLoading={stats.isPending}
        linked={leadTo(`${paths.subscriptions}?status=active`)}
        caption={<Uncounted count={stats.data?.unsupportedSubscriptions ?? 0} />}
      />
      <StatCard
        label="Avg Revenue Per Customer"
        value={shown(formatMoney(perCustomer, reportingCurrency))}
        isLoading={stats.isPending}
        linked={leadTo(byMrr)}
      />
    </StatCards>
  )
}

const byMrr = `${paths.subscriptions}?sort=currentMrr`

/** Keeps this space free, so that nothing below jumps when other currencies arrive. */
const captionLine = 'calc(var(--mantine-font-size-xs) * var(--mantine-line-height-xs))'

const leadTo = (to: string) => (name: ReactNode, className: string) => (
  <Anchor component={Link} to={to} inherit className={className}>
    {name}
  </Anchor>
)
