import { keepPreviousData } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { exportCohorts } from '#contract/lists/figure-exports.ts'
import { getMrrCohorts } from '#contract/mrr.ts'
import { buildUrl, useEndpoint } from '../../../client.ts'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { ViewSwitch } from '../../../components/view-switch.tsx'
import { freshMs } from '../../../queries/freshness.ts'
import { FigureCard } from '../figure-card.tsx'
import { CohortsTable, type CohortView, cohortViews } from './cohorts-table.tsx'

const formulas: Record<CohortView, string> = {
  mrr: 'MRR at the end of each month of the customers who first paid in the month of the row. The rows of a month add up to its MRR.',
  share: 'MRR at the end of each month, as a share of the MRR at the end of the month of the first payment.',
  customers: 'Paying customers at the end of each month, of those who first paid in the month of the row.',
}

/** Shows what became of the customers who first paid in the same month. */
export function CohortsCard({ range }: { range: DateRangeControls }) {
  const [params, setParams] = useSearchParams()
  const view = cohortViews.find((one) => one === params.get('cohorts')) ?? 'mrr'
  const { from, to } = range.days
  const query = { query: { from: from ?? undefined, to: to ?? undefined } }
  const cohorts = useEndpoint(getMrrCohorts, query, {
    placeholderData: keepPreviousData,
    staleTime: freshMs.records,
  })
  const choose = (value: CohortView) => {
    const next = new URLSearchParams(params)
    next.set('cohorts', value)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return (
    <FigureCard
      title="Cohorts"
      formula={formulas[view]}
      csvHref={buildUrl(exportCohorts.path, {}, query.query)}
      answer={cohorts}
      isEmpty={(answer) => answer.cohorts.length === 0}
      controls={
        <ViewSwitch
          label="Cohorts show"
          value={view}
          onChange={choose}
          options={[
            { value: 'mrr', label: 'MRR' },
            { value: 'share', label: 'Share' },
            { value: 'customers', label: 'Customers' },
          ]}
        />
      }
    >
      {(answer) => <CohortsTable answer={answer} view={view} />}
    </FigureCard>
  )
}
