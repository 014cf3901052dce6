import { Anchor, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { starterLabels } from '#contract/lists/list-words.ts'
import type { listSyncHistory } from '#contract/sync.ts'
import { paths } from '../../paths.ts'
import { formatInstant } from '../../ui/dates.ts'

export type HistoryLine = ResponseOf<typeof listSyncHistory>['histories'][number]
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
