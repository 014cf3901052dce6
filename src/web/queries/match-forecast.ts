import type { ResponseOf } from '#contract/endpoint.ts'
import { getMatchForecast } from '#contract/lists/match-figures.ts'
import { serverText, useEndpoint } from '../client.ts'

export type ForecastState = {
  forecast: ResponseOf<typeof getMatchForecast> | null
  isLoading: boolean
  problem: string | null
}

/** Reads what the first push would create in HubSpot. It asks only while the answer is of use. */
export function useMatchForecast(isAsked: boolean): ForecastState {
  const query = useEndpoint(getMatchForecast, isAsked ? {} : null)
  if (!isAsked) return { forecast: null, isLoading: false, problem: null }
  return {
    forecast: query.data ?? null,
    isLoading: query.isFetching,
    problem:
      query.error === null
        ? null
        : serverText(query.error, 'What a sync would create could not be found out.'),
  }
}
