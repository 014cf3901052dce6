import { List, Text } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getHistoricalImportProgress } from '#contract/imports.ts'
import { isEstimate } from './import-sum.ts'
import { importKindText } from './import-words.ts'

export type ImportProgressCounts = ResponseOf<typeof getHistoricalImportProgress>['counts']

/** How many objects of each kind a running import has read. */
export function ImportCounts({ counts }: { counts: ImportProgressCounts }) {
  return (
    <>
      <List size="sm" c="dimmed">
        {counts.map((count) => (
          <List.Item key={count.kind}>
            {importKindText(count.kind)}: {count.done.toLocaleString('en-US')}
            {count.total === null
              ? ''
              : ` of ${isEstimate(count) ? 'about ' : ''}${count.total.toLocaleString('en-US')}`}
          </List.Item>
        ))}
      </List>
      {counts.some(isEstimate) ? (
        <Text size="sm" c="dimmed">
          &quot;About&quot; is an estimate from what was read so far, the newest first. An account that has
          grown usually has fewer.
        </Text>
      ) : null}
    </>
  )
}
