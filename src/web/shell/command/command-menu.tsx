import '@mantine/spotlight/styles.css'
import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type SearchHit, searchRecords } from '#contract/lists/search.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { useRecentPages } from '../../components/frame/page-name.tsx'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { deeds, matching, menuName, type Place, places } from './places.ts'

/** The server refuses a shorter text. */
const shortest = 2
const pauseMs = 200
const none: SearchHit[] = []

type CommandMenuProps = {
  /** Counts how often it was asked for; each time it opens. */
  asked: number
  onHelp: () => void
}

/** Searches everything: screens, actions, records that were open before, and records by name or id. */
export function CommandMenu({ asked, onHelp }: CommandMenuProps): ReactNode {
  const [query, setQuery] = useState('')
  const [pasted, setPasted] = useState<string | null>(null)
  const navigate = useNavigate()
  const wanted = query.trim()
  const { hits, isId, isSettled, failed, retry } = useHits(wanted)
  const recents = useRecentPages()
  const [areSingleKeysOn] = useSingleKeys()
  useEffect(() => {
    if (asked > 0) spotlight.open()
  }, [asked])
  // An id that a person pastes leads to its record at once.
  const only = isId && isSettled && hits.length === 1 && pasted === wanted ? hits[0] : undefined
  const follow = useEffectEvent((hit: SearchHit) => {
    spotlight.close()
    void navigate(pathOf(hit))
  })
  useEffect(() => {
    if (only !== undefined) follow(only)
  }, [only])
  useEffect(() => selectFirst(hits), [hits])
  const row = ({ title, path, key }: Place) => (
    <Spotlight.Action
      key={`${title} ${path}`}
      label={title}
      rightSection={key === undefined || !areSingleKeysOn ? null : `G ${key.toUpperCase()}`}
      onClick={() => void navigate(path)}
    />
  )
  const help = matching([{ title: 'Keyboard shortcuts' }], wanted)
  const found = {
    recents: matching(recents, wanted),
    screens: matching(places, wanted),
    deeds: matching(deeds, wanted),
  }
  const count = found.recents.length + found.screens.length + found.deeds.length + help.length + hits.length
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      styles={{ actionDescription: { opacity: 1 }, actionSection: { opacity: 1 } }}
      scrollable
      maxHeight="60dvh"
      attributes={{ content: { 'aria-label': menuName } }}
      onSpotlightClose={() => setPasted(null)}
    >
      <Spotlight.Search
        aria-label={menuName}
        placeholder="Search, paste an id, or choose a command"
        leftSection={<IconSearch size={18} aria-hidden />}
        maxLength={200}
        onPaste={(event) => setPasted(event.clipboardData.getData('text').trim())}
      />
      <VisuallyHidden role="status">{isSettled ? counted(count, 'result') : 'Searching'}</VisuallyHidden>
      <Spotlight.ActionsList>
        <Section label="Recent">{found.recents.map(row)}</Section>
        <Section label="Screens">{found.screens.map(row)}</Section>
        <Section label="Actions">
          {found.deeds.map(row)}
          {help.map(({ title }) => (
            <Spotlight.Action
              key={title}
              label={title}
              rightSection={areSingleKeysOn ? '?' : null}
              onClick={onHelp}
            />
          ))}
        </Section>
        <Section label="Records">
          {hits.map((hit) => (
            <Spotlight.Action
              key={`${hit.kind} ${hit.id}`}
              label={hit.title}
              description={`${kinds[hit.kind]}${hit.detail === '' ? '' : ` · ${hit.detail}`}`}
              onClick={() => void navigate(pathOf(hit))}
            />
          ))}
        </Section>
        {failed ? (
          <Spotlight.Empty role="alert">
            <Stack gap="xs" align="center">
              Records could not be searched.
              <Button size="xs" variant="default" onClick={retry}>
                Try again
              </Button>
            </Stack>
          </Spotlight.Empty>
        ) : count === 0 ? (
          <Spotlight.Empty>{isSettled ? 'Nothing found' : 'Searching…'}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** The library selects a row when the text changes, but not when rows arrive later. */
function selectFirst(_hits: SearchHit[]): void {
  if (document.querySelector('[data-action][data-selected]') !== null) return
  document.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
}

const kinds: Record<SearchHit['kind'], string> = {
  customer: 'Customer',
  subscription: 'Subscription',
  invoice: 'Invoice',
}

function pathOf({ opens }: SearchHit): string {
  return opens.kind === 'customer' ? paths.customer(opens.id) : paths.subscription(opens.id)
}

function Section({ label, children }: { label: string; children: ReactNode }) {
  return Array.isArray(children) && children.flat().length === 0 ? null : (
    <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup>
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
