import { useCoverage } from '../../queries/coverage.ts'
import { useCurrentUser } from '../../queries/session.ts'

type Shown = { filter: string; search: string; isReason: boolean }

/** Says why the list of Match Review is empty. Only an imported account without open matches has nothing to review. */
export function useEmptyTexts({ filter, search, isReason }: Shown): {
  emptyText: string
  emptyHint?: string
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
  return { emptyText: 'Nothing to review. Every customer is matched.' }
}
