import { Anchor, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { starterLabels } from '#contract/lists/list-words.ts'
import type { listSyncHistory } from '#contract/sync.ts'
import { paths } from '../../paths.ts'
import { formatInstant } from '../../ui/dates.ts'

export type HistoryLine = ResponseOf<typeof listSyncHistory>['histories'][number]
type RunEnd = Pick<HistoryLine, 'status' | 'errorCount'>

/** Whether no record was refused but the run itself failed: it has an error, though not of a record. */
export const hasFailedAsWhole = ({ status, errorCount }: RunEnd) => status === 'failed' && errorCount === 0

/** How many records a run could not do. `onView` leads to them. */
export function RunErrors({ run, onView }: { run: RunEnd; onView?: (() => void) | undefined }) {
  if (hasFailedAsWhole(run)) {
    const reason = 'No record was refused: the run failed as a whole'
    return (
      <span title={reason}>
        <span aria-hidden>-</span>
        <VisuallyHidden>{reason}</VisuallyHidden>
      </span>
    )
  }
  const count = run.errorCount.toLocaleString('en-US')
  if (onView !== undefined && run.errorCount > 0)
    return (
      <Anchor component="button" type="button" size="sm" underline="always" onClick={onView}>
        {count} <VisuallyHidden>errors</VisuallyHidden>
      </Anchor>
    )
  return (
    <Text span inherit c={run.errorCount > 0 ? 'var(--text-negative)' : 'inherit'}>
      {count}
    </Text>
  )
}

/** Says who or what started a run; '-' where it was not noted. */
export function starterText({ startedBy }: Pick<HistoryLine, 'startedBy'>): string {
  if (startedBy === null) return '-'
  const { kind, name } = startedBy
  return name ?? (kind === 'person' ? 'A deleted account' : starterLabels[kind])
}

/** Leads from a sync to its import and back; null for a run that stands alone. `search` keeps the list's filters. */
export function relatedRun(
  { follows, followedBy }: Pick<HistoryLine, 'follows' | 'followedBy'>,
  search: string,
  words = { itsSync: 'See its sync', itsImport: 'After the import' },
): ReactNode {
  const place = follows ?? followedBy
  if (place === null) return null
  return (
    <Anchor component={Link} to={`${paths.run(place.id)}${search}`} size="sm" underline="always">
      {follows === null ? words.itsSync : words.itsImport}
      <VisuallyHidden> of {formatInstant(place.createdAt)}</VisuallyHidden>
    </Anchor>
  )
}
