import { Card, Stack, Text } from '@mantine/core'
import { getDashboardStats } from '#contract/dashboard.ts'
import { listMrrSnapshots } from '#contract/mrr.ts'
import { useEndpoint } from '../../client.ts'
import { ImportHint } from '../../components/list-page/rows/import-hint.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser } from '../../queries/session.ts'

const options = { staleTime: freshMs.records }

/**
 * Whether there is anything to analyze, now or in the past; undefined while that is not known. A reset of the setup leaves
 * what was imported, and what could not be read may be there.
 */
export function useHasFigures(): boolean | undefined {
  const isImported = useCurrentUser().data?.setupProgress?.dataImported === true
  const stats = useEndpoint(getDashboardStats, {}, options)
  const snapshots = useEndpoint(listMrrSnapshots, {}, options)
  const isAnyNow = stats.data && (stats.data.currentMrr !== 0 || stats.data.activeInList > 0)
  // Where all customers have left, only the past has figures.
  const isAnyBefore = snapshots.data && snapshots.data.snapshots.length > 0
  if (isImported || stats.isError || snapshots.isError || isAnyNow || isAnyBefore) return true
  return isAnyNow === undefined || isAnyBefore === undefined ? undefined : false
}

/** Says once for the whole screen what it will show, and where that comes from. */
export function FiguresToCome() {
  return (
    <Card withBorder component="section" aria-label="No figures yet">
      <Stack align="center" gap={4} py="xl">
        <Text fw={600}>No figures yet</Text>
        <Text size="sm" c="dimmed" ta="center" component="div">
          <ImportHint what="MRR movements, retention, segments and cohorts are" />
        </Text>
      </Stack>
    </Card>
  )
}
