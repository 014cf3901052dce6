import { Table } from '@mantine/core'
import type { CohortsAnswer } from '#contract/mrr.ts'
import { monthBefore } from '#domain/month.ts'
import { lastDayOf } from '#domain/movement.ts'
import { eventsAddress } from '../../../components/events-address.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { formatShare } from '../../../components/figures/share.ts'
import { paths } from '../../../paths.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { EventsCell, RowName } from '../events-cell.tsx'

export const cohortViews = ['mrr', 'share', 'customers'] as const
export type CohortView = (typeof cohortViews)[number]

type Cohort = CohortsAnswer['cohorts'][number]
type Cell = Cohort['cells'][number]

/** A row for each month of first payments, a column for each month since, newest first. */
export function CohortsTable({ answer, view }: { answer: CohortsAnswer; view: CohortView }) {
  const months = [...new Set(answer.cohorts.flatMap(({ cells }) => cells.map(({ month }) => month)))]
    .sort()
    .reverse()
  const isLinked = answer.isRevalued !== true || view === 'customers'
  return (
    <Table.ScrollContainer
      minWidth={140 + 92 * months.length}
      maxHeight={520}
      type="native"
      pos="relative"
      tabIndex={0}
    >
      <Table
        aria-label="Cohorts"
        withTableBorder
        horizontalSpacing={8}
        verticalSpacing={4}
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>First paid</Table.Th>
            {months.map((month) => (
              <Table.Th key={month} ta="right">
                {formatMonth(month)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {answer.cohorts.toReversed().map((cohort) => (
            <CohortRow
              key={cohort.cohort}
              cohort={cohort}
              months={months}
              view={view}
              currency={answer.currency}
              isLinked={isLinked}
            />
          ))}
        </Table.Tbody>
        {view === 'share' ? null : (
          <Table.Tfoot>
            <TotalRow
              cohorts={answer.cohorts}
              months={months}
              view={view}
              currency={answer.currency}
              isLinked={isLinked}
            />
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  )
}

type CohortRowProps = {
  cohort: Cohort
  months: string[]
  view: CohortView
  currency: string
  /** Whether events alone make up the figures. */
  isLinked: boolean
}

function CohortRow({ cohort: { cohort, cells }, months, view, currency, isLinked }: CohortRowProps) {
  const [first] = cells
  const earliest = months.at(-1) ?? ''
  const name = cohort === '' ? `Before ${formatMonth(earliest)}` : formatMonth(cohort)
  const firstPaid =
    cohort === '' ? { firstPaidTo: monthBefore(earliest) } : { firstPaidFrom: cohort, firstPaidTo: cohort }
  const byMonth = new Map(cells.map((cell) => [cell.month, cell]))
  return (
    <Table.Tr>
      <RowName>{name}</RowName>
      {months.map((month) => {
        const cell = byMonth.get(month)
        if (cell === undefined) return <Table.Td key={month} />
        return (
          <EventsCell
            key={month}
            {...linkOf(view, firstPaid, month, isLinked)}
            label={`${name}, until ${formatMonth(month)}`}
          >
            {textOf(cell, first, view, currency)}
          </EventsCell>
        )
      })}
    </Table.Tr>
  )
}

type TotalRowProps = Omit<CohortRowProps, 'cohort'> & { cohorts: Cohort[] }

/** All cohorts of each month, which are its MRR or its paying customers. */
function TotalRow({ cohorts, months, view, currency, isLinked }: TotalRowProps) {
  return (
    <Table.Tr>
      <RowName>All customers</RowName>
      {months.map((month) => {
        const cells = cohorts.flatMap((one) => one.cells.filter((cell) => cell.month === month))
        const mrr = cells.reduce((sum, cell) => sum + cell.mrr, 0)
        const customers = cells.reduce((sum, cell) => sum + cell.customers, 0)
        return (
          <EventsCell
            key={month}
            {...linkOf(view, {}, month, isLinked)}
            label={`All customers, until ${formatMonth(month)}`}
          >
            {textOf({ month, mrr, customers }, undefined, view, currency)}
          </EventsCell>
        )
      })}
    </Table.Tr>
  )
}

/** The events that make a cell's MRR, or the customers that it counts. */
function linkOf(view: CohortView, firstPaid: Record<string, string>, month: string, isLinked: boolean) {
  const day = lastDayOf(month)
  if (!isLinked) return { to: undefined }
  if (view !== 'customers') return { to: eventsAddress({ ...firstPaid, to: day }) }
  const filter = new URLSearchParams({ ...firstPaid, payingOn: day })
  return { to: `${paths.customers}?${filter}`, lists: 'Customers' as const }
}

function textOf(cell: Cell, first: Cell | undefined, view: CohortView, currency: string): string {
  if (view === 'customers') return cell.customers.toLocaleString('en-US')
  if (view === 'mrr') return formatMoney(cell.mrr, currency)
  return formatShare(first === undefined || first.mrr <= 0 ? null : cell.mrr / first.mrr)
}
