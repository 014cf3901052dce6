import { expect, it } from 'vitest'
import { eventFilters, subscriptionFilters } from './list-filters.ts'

it("takes 'all' as no filter, in both lists alike", () => {
  expect(eventFilters.mrrStatus.parse('all')).toBeUndefined()
  expect(subscriptionFilters.status.parse('all')).toBeUndefined()
  expect(eventFilters.mrrStatus.parse('Churn,New')).toEqual(['Churn', 'New'])
  expect(subscriptionFilters.status.parse('active')).toEqual(['active'])
  expect(eventFilters.mrrStatus.safeParse('every').success).toBe(false)
})
