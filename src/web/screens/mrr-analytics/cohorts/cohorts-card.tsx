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

const rows = 'Each row is the customers who first paid in that month.'

const formulas: Record<CohortView, string> = {
  share: `${rows} Each cell is their MRR at the end of a later month, as a share of their MRR at the end of the first month. "All cohorts" adds up the cohorts that are old enough for the column, and is pale where these are fewer than three.`,
  mrr: `${rows} Each cell is their MRR at the end of a later month.`,
  customers: `${rows} Each cell is how many of them were paying at the end of a later month.`,
}

const colors =
  ' The stronger the color, the more is left of the first month. A dashed edge marks a month that is not over.'

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
