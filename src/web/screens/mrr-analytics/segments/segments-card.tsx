import { NativeSelect, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { exportSegments } from '#contract/lists/figure-exports.ts'
import { getMrrSegments } from '#contract/mrr.ts'
import { segmentKinds } from '#domain/segment.ts'
import { labelOf } from '#domain/subscription.ts'
import { buildUrl, useEndpoint } from '../../../client.ts'
import { useAddressChoice } from '../../../components/address/use-address-choice.ts'
import type { DateRangeControls } from '../../../components/date-range/use-date-range.ts'
import { usePrinting } from '../../../components/frame/use-printing.ts'
import { freshMs } from '../../../queries/freshness.ts'
import { Paginator } from '../../../ui/paginator.tsx'
import { FigureCard } from '../figure-card.tsx'
import { revaluedNote } from '../fx-cell.tsx'
import { views } from '../views.ts'
import { SegmentsTable } from './segments-table.tsx'

const perPage = 10
/** This many are asked for at once and printed together, so that their rows add up on paper as well. */
const perSheet = 100

/** Which sheet a call has asked for, by its address. */
const sheetOf = ([, url]: QueryKey) => Number(new URLSearchParams(String(url).split('?')[1]).get('page'))

/** Shows what moved the MRR of each product, plan, currency, interval or size. */
export function SegmentsCard({ range }: { range: DateRangeControls }) {
  const [params, setParams] = useSearchParams()
  const kind = useAddressChoice(views.segment).value
  const given = Number(params.get('page'))
  const page = Number.isInteger(given) && given > 0 && given < 100_000 ? given : 1
  const { from, to } = range.days
  const asked = { by: kind, from: from ?? undefined, to: to ?? undefined }
  const sheet = Math.ceil((page * perPage) / perSheet)
  const query = { ...asked, page: String(sheet), limit: String(perSheet) }
  const segments = useEndpoint(
    getMrrSegments,
    { query },
    {
      // The rows of another sheet are not those of this page.
      placeholderData: (before, asked) => (sheetOf(asked?.queryKey ?? []) === sheet ? before : undefined),
      staleTime: freshMs.records,
    },
  )
  const isPrinting = usePrinting()
  const first = ((page - 1) * perPage) % perSheet
  const change = (name: 'by' | 'page', value: string) => {
    const next = new URLSearchParams(params)
    next.delete('page')
    next.set(name, value)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return (
    <FigureCard
      title="Segments"
      formula={`${from === null ? 'Movements' : 'Start + movements'} = End for each segment, and the segments add up to the total. A subscription counts in the segment that it belongs to now${kind === 'size' ? '; its size is the band of its highest MRR' : ''}.`}
      csvHref={buildUrl(exportSegments.path, {}, asked)}
      note={({ total }) => revaluedNote(total)}
      answer={segments}
      isEmpty={(answer) => answer.totalCount === 0}
      controls={
        <NativeSelect
          size="xs"
          aria-label="Segments by"
          value={kind}
          data={segmentKinds.map((value) => ({ value, label: `By ${labelOf(value).toLowerCase()}` }))}
          onChange={(event) => change('by', event.currentTarget.value)}
        />
      }
    >
      {(answer) => (
        <>
          <SegmentsTable
            answer={
              isPrinting ? answer : { ...answer, segments: answer.segments.slice(first, first + perPage) }
            }
            kind={answer.by}
            days={range.days}
          />
          {isPrinting ? (
            <LeftOut count={answer.totalCount - answer.segments.length} of={answer.totalCount} />
          ) : (
            <Paginator
              page={page}
              totalPages={Math.ceil(answer.totalCount / perPage)}
              onChange={(next) => change('page', String(next))}
            />
          )}
        </>
      )}
    </FigureCard>
  )
}

/** Says on paper that the rows do not add up to the total, and where all of them are. */
function LeftOut({ count, of }: { count: number; of: number }) {
  if (count === 0) return null
  return (
    <Text size="sm">
      {count.toLocaleString('en-US')} of {of.toLocaleString('en-US')} segments are not printed. The CSV file
      has all of them.
    </Text>
  )
}
