import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { searchHubspotCompanies } from '#contract/matches.ts'
import { serverText, useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { CompanyChoice } from './company-choice.tsx'

const debounceMs = 400
const lettersMin = 2

type Search = ReturnType<typeof useCompanySearch>

/** Searches companies in HubSpot by name or domain while the person types; `initial` is searched at first. */
export function useCompanySearch(initial: string) {
  const [typed, setTyped] = useState(initial)
  const [settled] = useDebouncedValue(typed.trim(), debounceMs)
  const isSearching = settled.length >= lettersMin
  const found = useEndpoint(searchHubspotCompanies, isSearching ? { query: { query: settled } } : null, {
    staleTime: freshMs.records,
  })
  return {
    typed,
    setTyped,
    isSearching,
    found,
    hasFoundNone: !isSearching || found.data?.companies.length === 0,
  }
}

type CompanySearchProps = {
  label: string
  search: Search
  isBusy: boolean
  onChoose: (companyRecordId: string) => void
}

/** The field of the search, and the companies found. */
export function CompanySearch({ label, search, isBusy, onChoose }: CompanySearchProps) {
  const { typed, setTyped, isSearching, found } = search
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        label={label}
        placeholder="Name or domain in HubSpot"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status">
        {statusText(search)}
      </Text>
      {isSearching
        ? found.data?.companies.map((company) => (
            <CompanyChoice
              key={company.companyRecordId}
              name={company.companyName}
              link={company.hubspotCompanyLink}
              domains={company.domains}
              label="Choose"
              isBusy={isBusy}
              onChoose={() => onChoose(company.companyRecordId)}
            />
          ))
        : null}
    </Stack>
  )
}

function statusText({ isSearching, found }: Search): string {
  if (!isSearching) return ''
  if (found.isFetching) return 'Searching HubSpot...'
  if (found.error !== null) return serverText(found.error, 'HubSpot could not be searched.')
  const count = found.data?.companies.length ?? 0
  if (count === 0) return 'No company found. New ones can be searched for after some seconds.'
  return `${count} ${count === 1 ? 'company' : 'companies'} found`
}
