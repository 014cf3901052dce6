import { expect, it } from 'vitest'
import { customerFilters, eventFilters, subscriptionFilters } from './list-filters.ts'

it("takes 'all' as no filter, in both lists alike", () => {
  expect(eventFilters.mrrStatus.parse('all')).toBeUndefined()
  expect(subscriptionFilters.status.parse('all')).toBeUndefined()
  expect(eventFilters.mrrStatus.parse('Churn,all')).toBeUndefined()
  expect(customerFilters.status.parse('active,all')).toBeUndefined()
  expect(eventFilters.mrrStatus.parse('Churn,New')).toEqual(['Churn', 'New'])
  expect(subscriptionFilters.status.parse('active')).toEqual(['active'])
  expect(eventFilters.mrrStatus.safeParse('every').success).toBe(false)
})

it('takes amounts in whole minor units, and says what it wants of others', () => {
  expect(eventFilters.changeTo.parse('-10000')).toBe(-10_000)
  expect(customerFilters.mrrFrom.parse('0')).toBe(0)
  for (const wrong of ['12.50', '1e3', '007', '-0', '$5', ' 5', '9'.repeat(16)])
    expect(subscriptionFilters.mrrFrom.safeParse(wrong).error?.issues[0]?.message, wrong).toBe(
      'must be a whole number of cents, such as 50000',
    )
})
