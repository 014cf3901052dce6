import { Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { reviewLabels } from '#contract/lists/list-words.ts'
import { exportMatches } from '#contract/lists/match-export.ts'
import { listMatches, type Match } from '#contract/matches.ts'
import { getAutoSync } from '#contract/setup.ts'
import { type MatchEvidence, matchEvidences, matchStates } from '#domain/company.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { reviewKeys } from '../../components/customers/review-keys.ts'
import { useStill } from '../../components/frame/use-still.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import type { ListSpec, ListState } from '../../components/list-page/list-state.ts'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { Term } from '../../components/terms/term.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser, useObstacles, useSyncCondition } from '../../queries/session.ts'
import { BulkBar } from './bulk-bar.tsx'
import { hinderedTexts, whenText } from './effects.ts'
import { FailedRows } from './failed-rows.tsx'
import { KeyHints } from './key-hints.tsx'
import { matchCard, matchColumns } from './match-columns.tsx'
import { ReasonFilter } from './reason-filter.tsx'
import { RecentDecisions } from './recent-decisions.tsx'
import { ReviewActions } from './review-actions.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { useDecisions } from './use-decisions.ts'
import { useEmptyTexts } from './use-empty-texts.tsx'
import { useListKeys } from './use-list-keys.ts'
import { useReturnedFocus } from './use-returned-focus.ts'
import { useReviewPlace } from './use-review-place.ts'

/** The address shows a state, or the customers that wait for one reason. */
const spec: ListSpec = {
  filters: { state: z.enum(['linked', 'ignored', ...matchEvidences], 'is no group of customers') },
  sorts: [],
}

const filterChoices = [
  { value: '', label: reviewLabels.pending },
  { value: 'linked', label: reviewLabels.linked },
  { value: 'ignored', label: reviewLabels.ignored },
]

const { next, previous, accept, ignore, select, undo } = reviewKeys
const open = { key: 'Enter', hint: 'open' }
const listKeys = [next, previous, accept, ignore, select, open, undo]
/** Those that decide nothing. */
const keysWithoutHubspot = [next, previous, open]

const order = 'Highest MRR first'

const listWords = {
  title: 'Match Review',
  errorText: 'An error occurred while fetching matches.',
  minWidth: 780,
  searchPlaceholder: 'Search customers...',
  searchCovers: 'Customer, email, domain, company or customer ID',
  filterName: 'state',
  filterLabel: 'Show',
  filterChoices,
}

/** /match-review shows customers without a company or with several possible ones, the highest MRR first. */
export function MatchReviewScreen() {
  const controls = useListState(spec)
  const { filters, search } = controls.state
  const filter = filters.state ?? ''
  const reason = matchEvidences.find((known) => known === filter)
  const matches = useMatches(controls.state, reason)
  const rows = matches.data?.matches
  const within = useRef<HTMLDivElement>(null)
  const [selectedIds, setSelected] = useState<ReadonlySet<string>>(new Set())
  const refetch = async () => (await matches.refetch()).data
  const place = useReviewPlace({
    rows,
    isOld: matches.isPlaceholderData,
    ...controls.state,
    totalCount: matches.data?.totalCount ?? 0,
    goTo: (page) => controls.change({ page }),
    refetch,
  })
  const decisions = useDecisions(useReturnedFocus(within, rows, place))
  const onToggle = ({ customerId }: Match) => {
    const others = [...selectedIds].filter((id) => id !== customerId)
    setSelected(new Set(selectedIds.has(customerId) ? others : [...others, customerId]))
  }
  const { acceptRow } = useListKeys({ within, rows, decisions, onToggle, place })
  const when = useWhen()
  const { isUsable, ...list } = useBehind(place.match !== null, when)
  const progress = useCurrentUser().data?.setupProgress
  const awaited = (progress?.pendingMatchCount ?? 0) > 0 ? undefined : []
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false)
  const isPending = filter === '' || reason !== undefined
  const shownIds = isPending ? selectedIds : null
  const ways = { onOpen: place.open, onAccept: acceptRow, onToggle }
  const actions = { ...ways, selectedIds: shownIds, isNarrow, decisions }
  return (
    <Stack>
      <WhatHinders isUsable={isUsable} />
      <FailedRows of="list" decisions={decisions} />
      <div ref={within}>
        <ListPage
          {...listWords}
          description={<Description follows={isUsable ? list.when : null} />}
          actions={<ReviewActions />}
          order={isPending || rows?.length === 0 ? undefined : order}
          above={
            isPending ? (
              <Stack gap="sm">
                <PrintedOrder />
                <ReasonFilter
                  reason={reason}
                  isExpected={awaited === undefined}
                  onChange={(wanted) => controls.change({ filters: { state: wanted } })}
                />
                <BulkBar
                  {...{ selectedIds, decisions, order }}
                  when={list.when}
                  rows={rows ?? awaited}
                  onSelect={setSelected}
                />
              </Stack>
            ) : null
          }
          controls={{ ...controls, state: { ...controls.state, filters: isPending ? {} : filters } }}
          csvHref={buildUrl(
            exportMatches.path,
            {},
            { search, reason, state: isPending ? 'pending' : filter },
          )}
          columns={matchColumns(actions)}
          cardOf={matchCard(actions)}
          records={rows}
          counted={matches.data}
          idOf={(row) => row.customerId}
          // After a decision the rows are already right, and a veil over them would only flicker.
          isFetching={matches.isFetching && (matches.isPlaceholderData || rows === undefined)}
          error={matches.error}
          {...useEmptyTexts({ filter, search, isReason: reason !== undefined })}
          onRetry={() => void matches.refetch()}
          onOpen={(row) => () => place.open(row)}
        />
      </div>
      {rows === undefined || rows.length === 0 ? null : (
        <KeyHints keys={decisions.barred === null ? listKeys : keysWithoutHubspot} />
      )}
      <RecentDecisions decisions={decisions} />
      <ReviewDialog
        place={place}
        totalCount={matches.data?.totalCount ?? 0}
        decisions={decisions}
        when={when}
      />
    </Stack>
  )
}

/** Says why nothing can be decided, or that no sync follows. */
function WhatHinders({ isUsable }: { isUsable: boolean }) {
  const obstacles = useObstacles()
  if (isUsable && !obstacles.isHubspotUsable) return null
  return <SyncObstacles obstacles={obstacles} {...hinderedTexts} />
}

/** What the list says of HubSpot: nothing moves behind an open dialog. */
function useBehind(isDialogOpen: boolean, when: string) {
  const { isHubspotUsable } = useObstacles()
  return { isUsable: useStill(isHubspotUsable, isDialogOpen), when: useStill(when, isDialogOpen) }
}

function Description({ follows }: { follows: string | null }) {
  return (
    <>
      Choose the HubSpot company for each customer, so that its MRR is <Term name="matched">matched</Term>.
      {follows === null ? '' : ` HubSpot follows ${follows}.`}
    </>
  )
}

/** When HubSpot follows, in words. */
function useWhen(): string {
  const autoSync = useEndpoint(getAutoSync, {}, { staleTime: freshMs.records })
  // What most organizations have stands there at once, so that the text does not grow and push the list down.
  const isSetUp = useCurrentUser().data?.setupProgress?.setupComplete !== false
  const isAutomatic = (autoSync.data?.autoSyncEnabled ?? true) && isSetUp
  return whenText(useSyncCondition(), isAutomatic)
}

/** On paper, where nothing can be selected, the order has its own line. */
function PrintedOrder() {
  return (
    <Text size="sm" className="printed-only">
      {order}
    </Text>
  )
}

function useMatches({ page, perPage, search, filters }: ListState, reason: MatchEvidence | undefined) {
  const state = matchStates.find((known) => known === filters.state)
  return useEndpoint(
    listMatches,
    { query: { page: String(page), limit: String(perPage), search, state, reason } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
}
