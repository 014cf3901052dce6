import { expect, test } from 'vitest'
import { exportActivity } from '#contract/audit.ts'
import { exportCustomers } from '#contract/customers/customers.ts'
import { exportTransactions } from '#contract/events.ts'
import { exportMatches } from '#contract/lists/match-export.ts'
import { exportSubscriptions } from '#contract/subscriptions.ts'
import { exportSyncHistory } from '#contract/sync.ts'
import { files, listSearches, parts, termPlaces } from './found-places.ts'
import { matching } from './places.ts'

test('files are at the addresses of the contract', () => {
  const exported = [
    exportCustomers,
    exportSubscriptions,
    exportTransactions,
    exportMatches,
    exportSyncHistory,
    exportActivity,
  ]
  expect(files.map(({ path }) => path)).toEqual(exported.map(({ path }) => path))
})

test.each([
  ['churn', '/terms#churn'],
  ['NRR', '/terms#nrr'],
  ['past due', '/subscriptions?status=past_due'],
  ['activity', '/account-profile?tab=activity'],
  ['security', '/account-profile'],
])('%j is found', (query, path) => {
  expect(matching([...parts, ...termPlaces], query).map((found) => found.path)).toContain(path)
})

test('a text is searched in each list, whatever signs it has', () => {
  expect(listSearches('raven & "co" 100%')).toEqual(
    ['Customers', 'Subscriptions', 'Events'].map((list) => ({
      title: `${list} with "raven & "co" 100%"`,
      path: `/${list.toLowerCase()}?search=raven+%26+%22co%22+100%25`,
    })),
  )
})
