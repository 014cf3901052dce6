import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { searchHubspotCompanies } from '#contract/matches.ts'
import { serverText, useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useObstacles } from '../../queries/session.ts'
import { CompanyChoice } from './company-choice.tsx'
import { DialogField } from './dialog-field.tsx'

const debounceMs = 400
const lettersMin = 2

type Search = ReturnType<typeof useCompanySearch>

/** Searches companies in HubSpot by name or domain while the person types. */
export function useCompanySearch(typed: string, setTyped: (typed: string) => void) {
  const isOff = !useObstacles().isHubspotUsable
  const [settled] = useDebouncedValue(typed.trim(), debounceMs)
  const isSearching = settled.length >= lettersMin && !isOff
  const found = useEndpoint(searchHubspotCompanies, isSearching ? { query: { query: settled } } : null, {
    staleTime: freshMs.records,
  })
  return {
    typed,
    setTyped,
    isOff,
    isSearching,
    found,
    companies: (isSearching ? found.data?.companies : undefined) ?? [],
    hasFoundNone: !isSearching || found.data?.companies.length === 0,
  }
}

/** The keys of the companies found, in their order. Never A: who accepts row after row must not choose one unseen. */
export const foundKeysOf = ({ companies }: Search) => [...'123456789'].slice(0, companies.length)

type CompanySearchProps = {
  label: string
  /** Whether the person opened it to type there. */
  isFocused?: boolean
  search: Search
  /** Says why HubSpot cannot be searched. */
  hindrance: ReactNode
  foundKeys: readonly string[]
  isBusy: boolean
  onChoose: (companyRecordId: string) => void
  /** Called when Escape leaves the field. */
  onLeave: () => void
}

/** The field of the search, and the companies found. */
export function CompanySearch(props: CompanySearchProps) {
  const { label, isFocused = false, search, hindrance, foundKeys, isBusy, onChoose, onLeave } = props
  const { typed, setTyped, isOff, companies } = search
  return (
    <Stack gap="xs">
      <DialogField
        type="search"
        label={label}
        autoFocus={isFocused}
        isOff={isOff}
        onLeave={onLeave}
        placeholder="Name or domain in HubSpot"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status" component="div">
        {isOff ? hindrance : statusText(search)}
      </Text>
      {companies.map((company, at) => (
        <CompanyChoice
          key={company.companyRecordId}
          name={company.companyName}
          link={company.hubspotCompanyLink}
          domains={company.domains}
          facts={company.facts}
          label="Choose"
          keyName={foundKeys[at]}
          isBusy={isBusy}
          onChoose={() => onChoose(company.companyRecordId)}
        />
      ))}
    </Stack>
  )
}

function statusText({ isSearching, found, companies }: Search): string {
  if (!isSearching) return ''
  if (found.isFetching) return 'Searching HubSpot...'
  if (found.error !== null) return serverText(found.error, 'HubSpot could not be searched.')
  const count = companies.length
  if (count === 0) return 'No company found. New ones can be searched for after some seconds.'
  return `${counted(count, 'company', 'companies')} found`
}
