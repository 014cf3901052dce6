import { SimpleGrid, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { exportRetention } from '#contract/lists/figure-exports.ts'
import { getMrrRetention, type RetentionAnswer } from '#contract/mrr.ts'
import { lastDayOf, monthBefore } from '#domain/month.ts'
import { buildUrl, useEndpoint } from '../../../client.ts'
import { counted } from '../../../components/counted.ts'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { eventsAddress } from '../../../components/events-address.ts'
import { formatMoney, formatMoneyChange } from '../../../components/figures/format-money.ts'
import { formatShare } from '../../../components/figures/share.ts'
import { Term } from '../../../components/terms/term.tsx'
import { freshMs } from '../../../queries/freshness.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { EventsLink } from '../events-cell.tsx'
import { FigureCard } from '../figure-card.tsx'

const revaluedNote =
  ' Exchange rates are in neither: all amounts are at the rates of the start, and the events that they open at those of their days.'

type Figures = RetentionAnswer['retention'][number]

/** Shows how much of earlier MRR is still there, with the amounts behind each share. */
export function RetentionCard({ range }: { range: DateRangeControls }) {
  const query = { query: { to: range.days.to ?? undefined } }
  const retention = useEndpoint(getMrrRetention, query, {
    placeholderData: keepPreviousData,
    staleTime: freshMs.records,
  })
  return (
    <FigureCard
      title="Retention"
      formula={
        <>
          Of the customers who had paid before these whole months: <Term name="nrr">NRR</Term> = (start +
          expansion + contraction) / start. <Term name="grr">GRR</Term> leaves out expansion. Expansion is
          what those who pay more than before pay more, contraction what the others pay less.
        </>
      }
      csvHref={buildUrl(exportRetention.path, {}, query.query)}
      note={({ isRevalued }) => (isRevalued ? revaluedNote : '')}
      answer={retention}
      isEmpty={(answer) => answer.retention.every(({ nrr }) => nrr === null)}
    >
      {(answer) => (
        <SimpleGrid minColWidth="min(100%, 240px)" autoFlow="auto-fit">
          {answer.retention.map((figures) => (
            <RetentionFigures
              key={figures.months}
              figures={figures}
              currency={answer.currency}
              isRevalued={answer.isRevalued === true}
            />
          ))}
        </SimpleGrid>
      )}
    </FigureCard>
  )
}

type RetentionFiguresProps = { figures: Figures; currency: string; isRevalued: boolean }

function RetentionFigures({ figures, currency, isRevalued }: RetentionFiguresProps) {
  const { months, from, to, start, expansion, contraction, end, nrr, grr } = figures
  const named = months === 1 ? formatMonth(to) : `${formatMonth(from)} to ${formatMonth(to)}`
  const span = counted(months, 'month')
  const links = addressesOf(figures)
  return (
    <Stack gap={2} component="section" aria-label={`Retention of ${span}`}>
      <Text size="sm" c="dimmed">
        {months === 1 ? 'Last month' : `Last ${span}`}: {named}
      </Text>
      <Text fz={22} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <EventsLink to={links.moved} label={`NRR of ${span}`}>
          NRR {formatShare(nrr)}
        </EventsLink>
      </Text>
      <Text fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <EventsLink to={links.contraction} label={`GRR of ${span}`}>
          GRR {formatShare(grr)}
        </EventsLink>
      </Text>
      <Text size="sm">
        Start{' '}
        <EventsLink to={isRevalued ? undefined : links.start} label={`Start of ${span}`}>
          {formatMoney(start, currency)}
        </EventsLink>
        , expansion{' '}
        <EventsLink to={links.expansion} label={`Expansion of ${span}`}>
          {formatMoneyChange(expansion, currency)}
        </EventsLink>
        , contraction{' '}
        <EventsLink to={links.contraction} label={`Contraction of ${span}`}>
          {formatMoneyChange(contraction, currency)}
        </EventsLink>{' '}
        = end{' '}
        <EventsLink to={isRevalued ? undefined : links.end} label={`End of ${span}`}>
          {formatMoney(end, currency)}
        </EventsLink>
      </Text>
    </Stack>
  )
}

/** The events of the customers who had paid before the months, for each figure. */
function addressesOf({ from, to }: Figures) {
  const before = monthBefore(from)
  const customers = { firstPaidTo: before }
  const within = { ...customers, from: `${from}-01`, to: lastDayOf(to) }
  return {
    start: eventsAddress({ ...customers, to: lastDayOf(before) }),
    moved: eventsAddress(within),
    expansion: eventsAddress({ ...within, customersPay: 'more' }),
    contraction: eventsAddress({ ...within, customersPay: 'less' }),
    end: eventsAddress({ ...customers, to: lastDayOf(to) }),
  }
}
