import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ImportHint } from '../../components/list-page/rows/import-hint.tsx'
import { paths } from '../../paths.ts'
import { useCoverage } from '../../queries/coverage.ts'
import { useMatchingStand } from '../../queries/matching-stand.ts'
import { useObstacles, useSyncCondition } from '../../queries/session.ts'

type Shown = { filter: string; search: string; isReason: boolean }

/** Says why the list of Match Review is empty. Only a sync to HubSpot can leave nothing to review. */
export function useEmptyTexts({ filter, search, isReason }: Shown): {
  emptyText: string
  emptyHint?: ReactNode
} {
  const others = useCoverage().data?.pendingMatchCount ?? 0
  const stand = useMatchingStand()
  const condition = useSyncCondition()
  const { isHubspotUsable } = useObstacles()
  if (search !== '') return { emptyText: 'No customers found.' }
  if (filter === 'linked') return { emptyText: 'No customer is attached to a company yet.' }
  if (filter === 'ignored') return { emptyText: 'No customer is ignored.' }
  if (isReason && others > 0)
    return {
      emptyText: 'Nothing left here.',
      emptyHint: 'Other customers still wait. Choose All to see them.',
    }
  if (stand === 'not_imported')
    return {
      emptyText: 'No customers yet',
      emptyHint: <ImportHint />,
    }
  if (stand === 'not_connected')
    return {
      emptyText: 'Customers are matched once HubSpot is connected.',
      emptyHint: (
        <>
          Connect it under{' '}
          <Anchor component={Link} to={paths.dataSync} inherit>
            Data Sync
          </Anchor>
          .
        </>
      ),
    }
  if (stand === 'undecided')
    return {
      emptyText: 'Customers are matched once this HubSpot account is confirmed.',
      emptyHint: (
        <>
          Confirm it, or connect the right one, under{' '}
          <Anchor component={Link} to={paths.dataSync} inherit>
            Data Sync
          </Anchor>
          .
        </>
      ),
    }
  if (stand === 'not_run')
    return {
      emptyText: `Customers are matched by the first sync to HubSpot${condition}.`,
      emptyHint: `Those without a clear company are then listed here.${isHubspotUsable ? ' To look for them before, press Run Matching.' : ''}`,
    }
  return { emptyText: 'Nothing to review. Every customer is matched.' }
}
