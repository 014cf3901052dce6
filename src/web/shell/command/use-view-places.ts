import { listViews, type ViewedList } from '#contract/lists/list-views.ts'
import { useEndpoint } from '../../client.ts'
import { paths } from '../../paths.ts'
import type { Place } from './places.ts'

/** The views that a person saved, as screens of the menu. */
export function useViewPlaces(): Place[] {
  return [...usePlacesOf('subscriptions'), ...usePlacesOf('events'), ...usePlacesOf('customers')]
}

function usePlacesOf(list: ViewedList): Place[] {
  const { data } = useEndpoint(listViews, { query: { list } })
  return (data?.views ?? []).map(({ name, query }) => ({
    title: `View of ${list}: ${name}`,
    path: `${paths[list]}${query === '' ? '' : `?${query}`}`,
    also: 'saved',
  }))
}
