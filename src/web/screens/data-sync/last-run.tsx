import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { changesText } from '../../components/runs/changes-text.ts'
import { paths } from '../../paths.ts'
import { Ago } from '../../ui/time/instant.tsx'
import type { ManualSync } from './use-manual-sync.ts'

type Totals = NonNullable<ManualSync['totals']>

/** The last run that ended, if it ended well: when, what it changed, and the way to its details. */
export function LastRun({ totals }: { totals: Totals }) {
  const last = lastOf(totals)
  if (last === null || last.run.status !== 'completed') return null
  const { name, run } = last
  return (
    <Text size="sm" c="dimmed">
      Last {name} <Ago at={run.endedAt} />:{' '}
      <Anchor component={Link} to={paths.run(run.id)} size="sm" underline="always">
        {run.changes === null ? 'see its details' : changesText(run)}
      </Anchor>
      {last.lookedAt === null ? null : (
        <>
          . Nothing new in Stripe since, read <Ago at={last.lookedAt} />
        </>
      )}
    </Text>
  )
}

/** The newest run. Imports without changes come every few minutes, so they give way to the sync before them and add when. */
function lastOf({ lastImport, lastSync }: Totals) {
  const ofImport = lastImport && { name: 'import', run: lastImport, lookedAt: null }
  const ofSync = lastSync && { name: 'sync', run: lastSync, lookedAt: null }
  if (ofImport === null || ofSync === null) return ofImport ?? ofSync
  const isSyncNewer = Date.parse(ofSync.run.endedAt) >= Date.parse(ofImport.run.endedAt)
  if (isSyncNewer) return ofSync
  return isWithoutChanges(ofImport.run) ? { ...ofSync, lookedAt: ofImport.run.endedAt } : ofImport
}

function isWithoutChanges({ status, changes }: NonNullable<Totals['lastImport']>): boolean {
  return status === 'completed' && changes !== null && Object.values(changes).every((count) => !count)
}
