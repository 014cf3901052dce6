import { Box, Table, Text } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode, useRef } from 'react'
import type { CohortsAnswer } from '#contract/mrr.ts'
import { lastDayOf } from '#domain/month.ts'
import { counted } from '../../../components/counted.ts'
import { eventsAddress } from '../../../components/events-address.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { formatShare } from '../../../components/figures/share.ts'
import { usePrinting } from '../../../components/frame/use-printing.ts'
import { fading } from '../../../components/jump-links.tsx'
import { MoreColumns } from '../../../components/wide-table/more-columns.tsx'
import { paths } from '../../../paths.ts'
import { useClock } from '../../../ui/clock.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { EventsLink, RowName } from '../events-cell.tsx'
import type { CohortView } from '../views.ts'
import {
  type AgedCell,
  type AgedCohort,
  agedCohorts,
  enoughCohorts,
  heatOf,
  shareOf,
  sumsAt,
} from './ages.ts'
import styles from './cohorts-table.module.css'

const widths: Record<CohortView, number> = { share: 46, mrr: 78, customers: 46 }

/** Cuts a row in the middle, so that a person sees that more follow. */
const cutRow = 534

/** A page has room for this many columns: a year and the month of the first payment. */
const printedAges = 13

type CohortsTableProps = { answer: CohortsAnswer; view: CohortView }

/**
 * A row for each month of first payments, a column for each month since then. On paper, each year has its own table.
 * Hundreds of links are drawn again only when they change.
 */
export const CohortsTable = memo(function CohortsTable({ answer, view }: CohortsTableProps) {
  const cohorts = agedCohorts(answer.cohorts)
  const count = Math.max(0, ...cohorts.map((cohort) => cohort.ages.length))
  const perTable = usePrinting() ? printedAges : count
  const firsts = [...Array(Math.ceil(count / perTable)).keys()].map((table) => table * perTable)
  return firsts.map((first) => (
    <OneTable
      key={first}
      cohorts={cohorts}
      ages={[...Array(Math.min(perTable, count - first)).keys()].map((at) => first + at)}
      view={view}
      currency={answer.currency}
      isLinked={answer.isRevalued !== true || view === 'customers'}
    />
  ))
})

type OneTableProps = Omit<CohortRowProps, 'cohort'> & { cohorts: AgedCohort[] }

function OneTable({ cohorts, ...shared }: OneTableProps) {
  const { ages, view, currency } = shared
  const box = useRef<HTMLDivElement>(null)
  return (
    <Box pos="relative" style={{ isolation: 'isolate' }}>
      <Table.ScrollContainer
        ref={box}
        minWidth={180 + widths[view] * ages.length}
        maxHeight={cutRow}
        type="native"
        pos="relative"
        tabIndex={0}
        className={fading}
      >
        <Table
          aria-label="Cohorts"
          className={styles['table']}
          withTableBorder
          stickyHeader
          horizontalSpacing={6}
          verticalSpacing={4}
          style={{ whiteSpace: 'nowrap' }}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th rowSpan={2} className={styles['corner']}>
                First paid
              </Table.Th>
              {view === 'share' ? (
                <Table.Th rowSpan={2} ta="right" className={styles['start']}>
                  MRR at first
                </Table.Th>
              ) : null}
              <Table.Th colSpan={ages.length} scope="colgroup">
                <span className={styles['months']}>Months since the month of the first payment</span>
              </Table.Th>
            </Table.Tr>
            <Table.Tr>
              {ages.map((age) => (
                <Table.Th key={age} ta="right">
                  {age}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {view === 'share' ? <AllCohorts cohorts={cohorts} ages={ages} currency={currency} /> : null}
            {cohorts
              .filter((cohort) => cohort.ages.length > (ages[0] ?? 0))
              .map((cohort) => (
                <CohortRow key={cohort.name} cohort={cohort} {...shared} />
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <MoreColumns box={box} />
    </Box>
  )
}

type CohortRowProps = {
  cohort: AgedCohort
  ages: number[]
  view: CohortView
  currency: string
  /** Whether events alone make up the figures. */
  isLinked: boolean
}

function CohortRow({ cohort, ages, view, currency, isLinked }: CohortRowProps) {
  const now = useClock()
  const running = now().toISOString().slice(0, 7)
  const name = formatMonth(cohort.name)
  const [first] = cohort.ages
  const linked = ({ month }: AgedCell, said: string, children: ReactNode) => (
    <EventsLink
      {...linkOf(view, cohort.name, month, isLinked)}
      label={`${name}, until ${formatMonth(month)}${said}`}
    >
      {children}
    </EventsLink>
  )
  return (
    <Table.Tr>
      <RowName>{name}</RowName>
      {view !== 'share' || first === undefined ? null : (
        <FigureCell className={styles['start']}>
          {linked(first, '', formatMoney(first.mrr, currency))}
        </FigureCell>
      )}
      {ages.map((age) => {
        const cell = cohort.ages[age]
        if (cell === undefined) return <Table.Td key={age} />
        const share = shareOf(cohort, age, view === 'customers' ? 'customers' : 'mrr')
        const texts = textsOf(cell, share, currency)
        return (
          <FigureCell key={age} share={share} isRunning={cell.month === running}>
            {linked(cell, `: ${texts.said[view]}`, texts.shown[view])}
          </FigureCell>
        )
      })}
    </Table.Tr>
  )
}

/** What a cell shows in each view, and what it says to those who point at it. */
function textsOf({ mrr, customers }: AgedCell, share: number | null, currency: string) {
  const money = formatMoney(mrr, currency)
  const count = customers.toLocaleString('en-US')
  const exact = formatShare(share)
  return {
    shown: { share: roughShare(share), mrr: money, customers: count },
    said: { share: `${money}, ${exact}`, mrr: exact, customers: exact },
  }
}

type AllCohortsProps = { cohorts: AgedCohort[]; ages: number[]; currency: string }

/** The share of all cohorts that are old enough. */
function AllCohorts({ cohorts, ages, currency }: AllCohortsProps) {
  return (
    <Table.Tr fw={600}>
      <RowName>All cohorts</RowName>
      <FigureCell className={styles['start']}>{formatMoney(sumsAt(cohorts, 0).first, currency)}</FigureCell>
      {ages.map((age) => {
        const { first, now, count } = sumsAt(cohorts, age)
        const share = first <= 0 ? null : now / first
        const isEnough = count >= enoughCohorts
        const sums = `${formatMoney(now, currency)} of ${formatMoney(first, currency)}`
        return (
          <FigureCell key={age} share={isEnough ? share : null}>
            <Text
              span
              inherit
              {...(isEnough ? {} : { c: 'dimmed', fw: 400 })}
              title={`${sums}, ${counted(count, 'cohort')}`}
            >
              {roughShare(share)}
            </Text>
          </FigureCell>
        )
      })}
    </Table.Tr>
  )
}

type FigureCellProps = {
  share?: number | null
  isRunning?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A figure, the stronger in color the more of the first month is there. */
function FigureCell({ share = null, isRunning = false, className = '', children }: FigureCellProps) {
  const classes = [className, share === null ? '' : styles['heat'], isRunning ? styles['running'] : '']
  const heat = share === null ? {} : { '--heat': heatOf(share).toFixed(3) }
  return (
    <Table.Td
      ta="right"
      className={classes.join(' ')}
      style={{ fontVariantNumeric: 'tabular-nums', ...heat } as CSSProperties}
    >
      {children}
    </Table.Td>
  )
}

/** The events that make a cell's MRR, or the customers that it counts. */
function linkOf(view: CohortView, cohort: string, month: string, isLinked: boolean) {
  const firstPaid = { firstPaidFrom: cohort, firstPaidTo: cohort }
  const day = lastDayOf(month)
  if (!isLinked) return { to: undefined }
  if (view !== 'customers') return { to: eventsAddress({ ...firstPaid, to: day }) }
  const filter = new URLSearchParams({ ...firstPaid, payingOn: day })
  return { to: `${paths.customers}?${filter}`, lists: 'Customers' as const }
}

/** A share in whole percent, so that many columns stay readable; the exact one is said on hover. */
function roughShare(share: number | null): string {
  return share === null ? '–' : share.toLocaleString('en-US', { style: 'percent' })
}
