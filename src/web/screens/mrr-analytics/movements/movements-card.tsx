import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { exportMovements } from '#contract/lists/figure-exports.ts'
import { getMrrMovements, type MovementsAnswer } from '#contract/mrr.ts'
import { buildUrl, useEndpoint } from '../../../client.ts'
import { useAddressChoice } from '../../../components/address/use-address-choice.ts'
import { MovementsChart } from '../../../components/charts/movements/movements-chart.tsx'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { formatMoney, formatMoneyChange } from '../../../components/figures/format-money.ts'
import { Term } from '../../../components/terms/term.tsx'
import { ViewSwitch } from '../../../components/view-switch.tsx'
import { freshMs } from '../../../queries/freshness.ts'
import { FigureCard } from '../figure-card.tsx'
import { revaluedNote } from '../fx-cell.tsx'
import { views } from '../views.ts'
import { MovementsTable } from './movements-table.tsx'

const options = { placeholderData: keepPreviousData, staleTime: freshMs.records }

/** Shows what moved MRR in each month or quarter of the range, as bars and as a table. */
export function MovementsCard({ range }: { range: DateRangeControls }) {
  const { value: interval, choose } = useAddressChoice(views.interval)
  const queryOf = ({ from, to }: { from: string | null; to: string | null }) => ({
    query: { from: from ?? undefined, to: to ?? undefined, interval },
  })
  const movements = useEndpoint(getMrrMovements, queryOf(range.days), options)
  const compared = range.isCompared && range.before !== null ? queryOf(range.before) : null
  const before = useEndpoint(getMrrMovements, compared, options)
  return (
    <FigureCard
      title="MRR Movements"
      formula="Start + New + Reactivation + Upgrade + Downgrade + Churn = End. Every figure opens its events."
      csvHref={buildUrl(exportMovements.path, {}, queryOf(range.days).query)}
      note={({ total }) => revaluedNote(total)}
      answer={movements}
      isEmpty={(answer) => answer.periods.length === 0}
      usualHeightPx={500}
      controls={
        <ViewSwitch
          label="Periods"
          value={interval}
          onChange={choose}
          options={[
            { value: 'month', label: 'Months' },
            { value: 'quarter', label: 'Quarters' },
          ]}
        />
      }
    >
      {(answer) => (
        <>
          <MovementsChart periods={answer.periods} currency={answer.currency} />
          <OtherMovements currencies={answer.otherCurrencies} />
          <MovementsTable answer={answer} before={compared === null ? undefined : before.data} />
        </>
      )}
    </FigureCard>
  )
}

/** Movements in currencies without a rate, which no bar includes. */
function OtherMovements({ currencies }: { currencies: MovementsAnswer['otherCurrencies'] }) {
  if (currencies.length === 0) return null
  const texts = currencies.map(
    ({ currency, net, end }) => `${formatMoney(end, currency)} (${formatMoneyChange(net, currency)})`,
  )
  return (
    <Text size="xs">
      <Term name="notIncluded">{`Not included: ${texts.join(', ')}`}</Term>
    </Text>
  )
}
