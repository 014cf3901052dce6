import { SimpleGrid, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getMrrRetention, type RetentionAnswer } from '#contract/mrr.ts'
import { useEndpoint } from '../../../client.ts'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { formatMoney, formatMoneyChange } from '../../../components/figures/format-money.ts'
import { formatShare } from '../../../components/figures/share.ts'
import { freshMs } from '../../../queries/freshness.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { FigureCard } from '../figure-card.tsx'

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
      formula="Of the customers who had paid before these whole months: NRR = (start + expansion + contraction) / start. GRR leaves out expansion. Expansion is New, Reactivation and Upgrade; contraction is Downgrade and Churn."
      answer={retention}
      isEmpty={(answer) => answer.retention.every(({ nrr }) => nrr === null)}
    >
      {(answer) => (
        <SimpleGrid minColWidth="min(100%, 240px)" autoFlow="auto-fit">
          {answer.retention.map((figures) => (
            <RetentionFigures key={figures.months} figures={figures} currency={answer.currency} />
          ))}
        </SimpleGrid>
      )}
    </FigureCard>
  )
}

function RetentionFigures({ figures, currency }: { figures: Figures; currency: string }) {
  const { months, from, to, start, expansion, contraction, end, nrr, grr } = figures
  const named = months === 1 ? formatMonth(to) : `${formatMonth(from)} to ${formatMonth(to)}`
  return (
    <Stack gap={2} component="section" aria-label={`Retention of ${months} months`}>
      <Text size="sm" c="dimmed">
        {months === 1 ? 'Last month' : `Last ${months} months`}: {named}
      </Text>
      <Text fz={22} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        NRR {formatShare(nrr)}
      </Text>
      <Text fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
        GRR {formatShare(grr)}
      </Text>
      <Text size="sm">
        {formatMoney(start, currency)} {formatMoneyChange(expansion, currency)}{' '}
        {formatMoneyChange(contraction, currency)} = {formatMoney(end, currency)}
      </Text>
    </Stack>
  )
}
