import { exportActivity } from '#contract/audit.ts'
import { exportCustomers } from '#contract/customers/customers.ts'
import { exportTransactions } from '#contract/events.ts'
import { exportMatches } from '#contract/lists/match-export.ts'
import { exportSubscriptions } from '#contract/subscriptions.ts'
import { exportSyncHistory } from '#contract/sync.ts'
import { allTerms } from '../../components/terms/terms.ts'
import { paths } from '../../paths.ts'
import type { Place } from './places.ts'

/** Too many to be listed unasked: the menu shows them once something is typed. */
export type FoundPlace = Place & { isForManagers?: true }

const tab = (name: string) => `${paths.accountProfile}?tab=${name}`

/** Parts of screens that have an address. */
export const parts: readonly FoundPlace[] = [
  { title: 'Past Due Subscriptions', path: `${paths.subscriptions}?status=past_due` },
  {
    title: 'Personal Profile',
    path: paths.accountProfile,
    also: 'account name email password security second factor sessions',
  },
  { title: 'Organization', path: tab('organization'), also: 'account members invitations currency' },
  { title: 'Activity', path: tab('activity'), also: 'account audit log', isForManagers: true },
  { title: 'Privacy', path: tab('privacy'), also: 'account erase person retention', isForManagers: true },
]

/** Every word that screens explain, at its place among all. */
export const termPlaces: readonly FoundPlace[] = allTerms.map(({ name, title }) => ({
  title,
  path: `${paths.terms}#${name}`,
  also: 'term',
}))

/** The lists that show everything with this text, of which the menu shows the first records. */
export function listSearches(text: string): Place[] {
  const ofText = new URLSearchParams({ search: text })
  return (
    [
      ['Customers', paths.customers],
      ['Subscriptions', paths.subscriptions],
      ['Events', paths.events],
    ] as const
  ).map(([list, path]) => ({ title: `${list} with "${text}"`, path: `${path}?${ofText}` }))
}

/** Whole lists as files; `path` is that of the file. */
export const files: readonly FoundPlace[] = (
  [
    { title: 'Export customers', path: exportCustomers.path },
    { title: 'Export subscriptions', path: exportSubscriptions.path },
    { title: 'Export events', path: exportTransactions.path },
    { title: 'Export customers to match', path: exportMatches.path },
    { title: 'Export Sync History', path: exportSyncHistory.path },
    { title: 'Export activity', path: exportActivity.path, isForManagers: true },
  ] as const
).map((file) => ({ ...file, also: 'CSV download' }))
