import { Text } from '@mantine/core'
import type { RunRecord } from '#contract/runs/run-records.ts'
import { type LinkChange, linkChanges } from '#domain/crm-record.ts'

type ChangedLink = NonNullable<RunRecord['links']>[number]

/** The lines below a record: what a sync linked it to, and what it took it off from. */
export function ChangedLinks({ row }: { row: RunRecord }) {
  return linkChanges.map((change) => {
    const links = (row.links ?? []).filter((link) => link.change === change)
    if (links.length === 0) return null
    return (
      <Text key={change} size="xs" miw={200} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {beginning(change, row)} {links.map(nameOf).join(', ')}
      </Text>
    )
  })
}

/** Where the row is headed "Linked" or "Link removed", the line goes on with it. */
function beginning(change: LinkChange, row: RunRecord): string {
  if (change === row.change) return change === 'linked' ? 'to' : 'from'
  return change === 'linked' ? 'linked to' : 'link removed from'
}

function nameOf({ target, name, recordId }: ChangedLink): string {
  if (target === 'subscription') return 'its subscription'
  return name ?? `${target} ${recordId}`
}
