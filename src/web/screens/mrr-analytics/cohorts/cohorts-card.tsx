import { keepPreviousData } from '@tanstack/react-query'
import { exportCohorts } from '#contract/lists/figure-exports.ts'
import { type CohortsAnswer, getMrrCohorts } from '#contract/mrr.ts'
import { buildUrl, useEndpoint } from '../../../client.ts'
import { useAddressChoice } from '../../../components/address/use-address-choice.ts'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { ViewSwitch } from '../../../components/view-switch.tsx'
import { freshMs } from '../../../queries/freshness.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { FigureCard } from '../figure-card.tsx'
import { type CohortView, views } from '../views.ts'
import { agedCohorts } from './ages.ts'
import { CohortsTable } from './cohorts-table.tsx'

const formulas: Record<CohortView, string> = {
  share:
    'MRR of the customers who first paid in the month of the row, at the end of each month since, as a share of that at the end of the first. All cohorts are those old enough; pale where they are fewer than three.',
  mrr: 'MRR of the customers who first paid in the month of the row, at the end of each month since.',
  customers: 'Paying customers at the end of each month, of those who first paid in the month of the row.',
}

const colors =
  ' The stronger the color, the more of the first month is there. A dashed edge: the month is not over.'

/** Shows what became of the customers who first paid in the same month. */
export function CohortsCard({ range }: { range: DateRangeControls }) {
  const { value: view, choose } = useAddressChoice(views.cohort)
  const { from, to } = range.days
  const query = { query: { from: from ?? undefined, to: to ?? undefined } }
  const cohorts = useEndpoint(getMrrCohorts, query, {
    placeholderData: keepPreviousData,
    staleTime: freshMs.records,
  })
  return (
    <FigureCard
      title="Cohorts"
      formula={formulas[view] + colors}
      note={noteOn}
      csvHref={buildUrl(exportCohorts.path, {}, query.query)}
      answer={cohorts}
      isEmpty={(answer) => agedCohorts(answer.cohorts).length === 0}
      controls={
        <ViewSwitch
          label="Cohorts show"
          value={view}
          onChange={choose}
          options={[
            { value: 'share', label: 'Share' },
            { value: 'mrr', label: 'MRR' },
            { value: 'customers', label: 'Customers' },
          ]}
        />
      }
    >
      {(answer) => <CohortsTable answer={answer} view={view} />}
    </FigureCard>
  )
}

/** Says who is left out: customers of before the days have no common month to count from. The file names their rows. */
function noteOn({ cohorts }: CohortsAnswer): string {
  const [first] = cohorts
  if (first?.cohort !== '') return ''
  const month = first.cells[0]?.month ?? ''
  return ` Customers who first paid before ${formatMonth(month)} are not among them; the CSV has them as 'Before ${month}'.`
}
