import '@mantine/spotlight/styles.css'
import { Stack, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type SearchHit, searchRecords } from '#contract/lists/search.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { pathOfFound } from '../../components/found-record.ts'
import { useRecentPages } from '../../components/frame/page-name.tsx'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useIsManager } from '../../queries/session.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'
import { type FoundPlace, files, listSearches, parts, termPlaces } from './found-places.ts'
import { matching, menuName, type Place, places } from './places.ts'
import { resultsId, tellSelected } from './tell-selected.ts'
import { type Action, useActions } from './use-actions.ts'
import { useAfterNavigation } from './use-after-navigation.ts'
import type { CommandMenuProps } from './use-typed-ahead.ts'
import { useViewPlaces } from './use-view-places.ts'

/** The server refuses a shorter text. */
const shortest = 2
const longest = 200
const pauseMs = 200
const none: SearchHit[] = []
const [store, spotlight] = createSpotlight()

/** Searches everything: screens, actions, records that were open before, and records by name or id. */
export function CommandMenu({ asked, onHelp, takeTyped }: CommandMenuProps): ReactNode {
  const [query, setQuery] = useState('')
  const [pasted, setPasted] = useState<string | null>(null)
  const navigate = useNavigate()
  const wanted = query.trim()
  const found = useHits(wanted)
  const { hits, isId, isSettled } = found
  const open = useEffectEvent(() => {
    // No focus will come that takes what was typed.
    if (store.getState().opened) takeTyped()
    // While it is closing, it still has the text of before.
    else setQuery('')
    spotlight.open()
  })
  useEffect(() => {
    if (asked > 0) open()
  }, [asked])
  // An id that a person pastes leads to its record at once.
  const only = isId && isSettled && hits.length === 1 && pasted === wanted ? hits[0] : undefined
  const follow = useEffectEvent((hit: SearchHit) => {
    spotlight.close()
    void navigate(pathOfFound(hit))
  })
  useEffect(() => {
    if (only !== undefined) follow(only)
  }, [only])
  useEffect(() => selectFirst(hits, isSettled), [hits, isSettled])
  useAfterNavigation(spotlight.close)
  const onFocus = () => {
    const ahead = takeTyped()
    setQuery((shown) => (shown + ahead.text).slice(0, longest))
    if (ahead.pasted !== null) setPasted(ahead.pasted)
  }
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      styles={{
        actionLabel: { overflowWrap: 'anywhere' },
        actionDescription: { opacity: 1 },
        actionSection: { opacity: 1 },
      }}
      scrollable
      maxHeight="60dvh"
      attributes={{ content: { 'aria-label': menuName } }}
      onSpotlightClose={() => setPasted(null)}
    >
      <Spotlight.Search
        role="combobox"
        aria-label={menuName}
        aria-expanded
        aria-controls={resultsId}
        aria-autocomplete="list"
        placeholder="Search, paste an id, or choose a command"
        leftSection={<IconSearch size={18} aria-hidden />}
        maxLength={longest}
        onFocus={onFocus}
        onPaste={(event) => setPasted(event.clipboardData.getData('text').trim())}
      />
      <Results wanted={wanted} found={found} onHelp={onHelp} />
    </Spotlight.Root>
  )
}

function Results({ wanted, found, onHelp }: { wanted: string; found: Hits; onHelp: () => void }) {
  const { hits, isSettled, failed, retry } = found
  const navigate = useNavigate()
  const [areSingleKeysOn] = useSingleKeys()
  const isManager = useIsManager()
  const open = ({ path, key, ...place }: Place): Action => ({
    ...place,
    place: path,
    ...(key !== undefined && areSingleKeysOn && { key: `G ${key.toUpperCase()}` }),
    act: () => void navigate(path),
  })
  const recents = matching(useRecentPages(), wanted).map(open)
  const typed = (all: readonly FoundPlace[]) =>
    wanted === '' ? [] : all.filter(({ isForManagers = false }) => isManager || !isForManagers)
  const views = useViewPlaces()
  const screens = matching([...places, ...typed([...parts, ...views])], wanted).map(open)
  const saving = typed(files).map(({ path, ...file }) => ({ ...file, act: () => save(path) }))
  const actions = matching([...useActions(onHelp), ...saving], wanted)
  const terms = matching(typed(termPlaces), wanted).map(open)
  // Not before the records: Enter after a pasted id means its record.
  const searches = wanted !== '' && isSettled ? listSearches(wanted).map(open) : []
  const count = [recents, screens, actions, terms, hits].flat().length
  return (
    <>
      <VisuallyHidden role="status">{isSettled ? counted(count, 'result') : 'Searching'}</VisuallyHidden>
      {count === 0 && !failed ? (
        <Spotlight.Empty>{isSettled ? 'Nothing found' : 'Searching…'}</Spotlight.Empty>
      ) : null}
      <Spotlight.ActionsList>
        <div id={resultsId} role="listbox" aria-label="Results" ref={tellSelected}>
          <Section label="Recent">{recents.map(row)}</Section>
          <Section label="Screens">{screens.map(row)}</Section>
          <Section label="Actions">{actions.map(row)}</Section>
          <Section label="Terms">{terms.map(row)}</Section>
          <Section label="Records">
            {hits.map((hit) => (
              <Spotlight.Action
                role="option"
                key={`${hit.kind} ${hit.id}`}
                label={hit.title}
                description={`${kinds[hit.kind]}${hit.detail === '' ? '' : ` · ${hit.detail}`}`}
                onClick={() => void navigate(pathOfFound(hit))}
              />
            ))}
          </Section>
          <Section label="Search in a list">{searches.map(row)}</Section>
        </div>
      </Spotlight.ActionsList>
      {failed ? (
        <Spotlight.Empty role="alert">
          <Stack gap="xs" align="center">
            Records could not be searched.
            <TryAgain onRetry={retry} />
          </Stack>
        </Spotlight.Empty>
      ) : null}
    </>
  )
}

function row({ title, key, act }: Action) {
  return (
    <Spotlight.Action
      role="option"
      key={title}
      label={title}
      rightSection={key === undefined ? null : <span className="for-keys">{key}</span>}
      onClick={act}
    />
  )
}

/** Saves a file as its link on a screen does. */
function save(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

/** The library selects a row when the text changes, but not when rows arrive later. */
function selectFirst(_hits: SearchHit[], _isSettled: boolean): void {
  const first = document.querySelector('[data-action]')
  if (first === null || document.querySelector('[data-action][data-selected]') !== null) return
  first.setAttribute('data-selected', 'true')
  // The arrows go on from here.
  store.updateState((state) => ({ ...state, selected: 0 }))
}

const kinds: Record<SearchHit['kind'], string> = {
  customer: 'Customer',
  subscription: 'Subscription',
  invoice: 'Invoice',
}

function Section({ label, children }: { label: string; children: ReactNode }) {
  return Array.isArray(children) && children.flat().length === 0 ? null : (
    <Spotlight.ActionsGroup role="group" aria-label={label} label={label}>
      {children}
    </Spotlight.ActionsGroup>
  )
}

type Hits = { hits: SearchHit[]; isId: boolean; isSettled: boolean; failed: boolean; retry: () => void }

/** The records that this text finds, once a person pauses; none while those of an earlier text are known. */
function useHits(wanted: string): Hits {
  const [asked] = useDebouncedValue(wanted, pauseMs)
  const isAsked = wanted.length >= shortest && asked === wanted
  const search = useEndpoint(searchRecords, isAsked ? { query: { query: asked } } : null, {
    staleTime: freshMs.records,
  })
  const { hits = none, isId = false } = (isAsked && search.data) || {}
  const isSettled = wanted.length < shortest || (isAsked && !search.isFetching)
  return { hits, isId, isSettled, failed: isAsked && search.isError, retry: () => void search.refetch() }
}
