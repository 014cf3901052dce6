import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getMatchForecast } from '#contract/lists/match-figures.ts'
import { counted } from './counted.ts'

type MatchForecastProps = {
  forecast: ResponseOf<typeof getMatchForecast> | null
  isLoading: boolean
  problem: string | null
}

/** Shows how many contacts and companies a first sync would create, before anybody starts it. */
export function MatchForecast({ forecast, isLoading, problem }: MatchForecastProps) {
  if (!isLoading && problem === null && forecast === null) return null
  return (
    <Alert
      icon={<IconInfoCircle aria-hidden />}
      title="What this sync would create"
      role="status"
      aria-busy={isLoading}
    >
      {isLoading ? (
        <Text size="sm">Looking at the companies and contacts in HubSpot...</Text>
      ) : (
        <Text size="sm">{problem ?? (forecast === null ? '' : textOf(forecast))}</Text>
      )}
    </Alert>
  )
}

function textOf(forecast: ResponseOf<typeof getMatchForecast>): string {
  const { companiesToCreate, contactsToCreate, attachedCustomers, customersToReview } = forecast
  const sentences = [
    `${counted(companiesToCreate, 'company', 'companies')} and ${counted(contactsToCreate, 'contact', 'contacts')} in HubSpot.`,
    `${counted(attachedCustomers, 'customer belongs', 'customers belong')} to companies that are there already.`,
    `${counted(customersToReview, 'customer', 'customers')} would wait for your review.`,
  ]
  return [...sentences, ...(forecast.companiesPaused === null ? [] : [forecast.companiesPaused])].join(' ')
}
