import { Text } from '@mantine/core'
import { exportMovements } from '#contract/lists/figure-exports.ts'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { buildUrl } from '../../../client.ts'
import { useAddressChoice } from '../../../components/address/use-address-choice.ts'
import { alignBefore } from '../../../components/charts/movements/align-before.ts'
import { MovementsChart } from '../../../components/charts/movements/movements-chart.tsx'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { formatMoney, formatMoneyChange } from '../../../components/figures/format-money.ts'
import { Term } from '../../../components/terms/term.tsx'
import { ViewSwitch } from '../../../components/view-switch.tsx'
import { movementsOf, useMovements } from '../../../queries/movements.ts'
import { ReadFailure } from '../../../ui/problems/unread.tsx'
import { FigureCard } from '../figure-card.tsx'
import { revaluedNote } from '../fx-cell.tsx'
import { views } from '../views.ts'
import { MovementsTable } from './movements-table.tsx'

/** Shows what moved MRR in each month or quarter of the range, as bars and as a table. */
export function MovementsCard({ range }: { range: DateRangeControls }) {
  const { value: interval, choose } = useAddressChoice(views.interval)
  const { movements, before } = useMovements(range, interval)
  const besideOf = ({ periods }: MovementsAnswer) => {
    const { from, to } = range.days
    if (before.data === undefined || range.before === null || from === null || to === null) return undefined
    const days = range.before
    return alignBefore({ days: { from, to }, periods }, { days, periods: before.data.periods }, interval)
  }
  return (
    <FigureCard
      title="MRR Movements"
      formula="Start + New + Reactivation + Upgrade + Downgrade + Churn = End. Every figure opens its events."
      csvHref={buildUrl(exportMovements.path, {}, movementsOf(range.days, interval).query)}
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
          {before.error === null ? null : (
            <ReadFailure
              title="The period before could not be loaded"
              error={before.error}
              onRetry={before.refetch}
            />
          )}
          <MovementsChart periods={answer.periods} before={besideOf(answer)} currency={answer.currency} />
          <OtherMovements currencies={answer.otherCurrencies} />
          <MovementsTable answer={answer} before={before.data} />
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
