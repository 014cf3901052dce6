import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useCoverage } from '../../queries/coverage.ts'
import { useCurrentUser } from '../../queries/session.ts'

type Shown = { filter: string; search: string; isReason: boolean }

/** Says why the list of Match Review is empty. Only imported customers and a connected HubSpot can leave nothing to review. */
export function useEmptyTexts({ filter, search, isReason }: Shown): {
  emptyText: string
  emptyHint?: ReactNode
} {
  const coverage = useCoverage().data
  const others = coverage?.pendingMatchCount ?? 0
  const hasMrr = typeof coverage?.percent === 'number'
  const { data: user } = useCurrentUser()
  const isImported = hasMrr || user?.setupProgress?.dataImported !== false
  if (search !== '') return { emptyText: 'No customers found.' }
  if (filter === 'linked') return { emptyText: 'No customer is attached to a company yet.' }
  if (filter === 'ignored') return { emptyText: 'No customer is ignored.' }
  if (isReason && others > 0)
    return {
      emptyText: 'Nothing left here.',
      emptyHint: 'Other customers still wait. Choose All to see them.',
    }
  if (!isImported)
    return {
      emptyText: 'No customers yet',
      emptyHint:
        'They are listed here once your Stripe data is imported: in the Setup Wizard, or under Data Sync.',
    }
  if (user?.setupProgress?.hubspotConnected === false)
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
  return { emptyText: 'Nothing to review. Every customer is matched.' }
}
