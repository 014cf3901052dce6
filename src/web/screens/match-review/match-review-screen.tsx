import { Button, Group } from '@mantine/core'
import { IconGavel, IconRefresh } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { listMatches, type Match } from '#contract/matches.ts'
import { matchStates } from '#domain/company.ts'
import { serverText, useEndpoint } from '../../client.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import type { ListSpec } from '../../components/list-page/list-state.ts'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useMatching } from '../../queries/run-matching.ts'
import { useToast } from '../../ui/toast.tsx'
import { matchColumns } from './match-columns.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { RulesDialog } from './rules-dialog.tsx'

const spec: ListSpec = { filter: { name: 'state', values: ['linked', 'ignored'] }, sorts: [] }

const filterChoices = [
  { value: '', label: 'Needs review' },
  { value: 'linked', label: 'Attached' },
  { value: 'ignored', label: 'Ignored' },
]

const emptyTexts: Record<string, string> = {
  linked: 'No customer is attached to a company yet.',
  ignored: 'No customer is ignored.',
}

/** /match-review shows customers without a company or with several possible ones, the highest MRR first. */
export function MatchReviewScreen() {
  const controls = useListState(spec)
  const { page, perPage, search, filter } = controls.state
  const [reviewed, setReviewed] = useState<Match | null>(null)
  const [hasRulesOpen, setRulesOpen] = useState(false)
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const matching = useMatching({
    onMatched: toast,
    onFailed: (error) => {
      const description = serverText(error, 'Failed to run matching algorithm.')
      toast({ title: 'Matching Error', description, isError: true })
    },
  })
  const state = matchStates.find((known) => known === filter)
  const matches = useEndpoint(
    listMatches,
    { query: { page: String(page), limit: String(perPage), search, state } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  return (
    <>
      <ListPage
        title="Match Review"
        description="Decide which company in HubSpot a customer belongs to. What you decide stays, and HubSpot follows with the next sync."
        actions={
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconGavel size={16} aria-hidden />}
              onClick={() => setRulesOpen(true)}
            >
              Rules
            </Button>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={matching.isRunning}
              onClick={() => void matching.run().then(refreshRecords)}
            >
              Run Matching
            </Button>
          </Group>
        }
        controls={controls}
        columns={matchColumns(setReviewed)}
        records={matches.data?.matches}
        counted={matches.data}
        idOf={(row) => row.customerId}
        isFetching={matches.isFetching}
        error={matches.error}
        emptyText={
          search === '' ? (emptyTexts[filter] ?? 'No customer waits for review.') : 'No customers found.'
        }
        errorText="An error occurred while fetching matches."
        minWidth={820}
        searchPlaceholder="Search customers..."
        filterLabel="Show"
        filterChoices={filterChoices}
        onRetry={() => void matches.refetch()}
        onOpen={(row) => () => setReviewed(row)}
      />
      <ReviewDialog match={reviewed} onClose={() => setReviewed(null)} />
      <RulesDialog isOpen={hasRulesOpen} onClose={() => setRulesOpen(false)} />
    </>
  )
}
