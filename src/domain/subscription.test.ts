import { describe, expect, it } from 'vitest'
import { billingIntervalDays, billingIntervalLabel, billingIntervalText, labelOf } from './subscription.ts'

describe('labels', () => {
  it.each([
    ['past_due', 'Past Due'],
    ['incomplete_expired', 'Incomplete Expired'],
    ['active', 'Active'],
    ['something_new', 'Something New'],
  ])('%s reads %s', (value, label) => expect(labelOf(value)).toBe(label))

  it.each([
    [28, 'Monthly'],
    [31, 'Monthly'],
    [27, '27 days'],
    [90, 'Quarterly'],
    [91, '91 days'],
    [365, 'Annual'],
    [7, '7 days'],
  ])('%i days read %s', (days, label) => expect(billingIntervalLabel(days)).toBe(label))

  it.each([
    [30, 'month', 1, 'Monthly'],
    [365, 'month', 12, 'Annual'],
    [180, 'month', 6, 'Every 6 months'],
    [730, 'year', 2, 'Every 2 years'],
    [7, 'week', 1, 'Weekly'],
    [7, 'day', 7, 'Every 7 days'],
    [1, 'day', 1, 'Daily'],
    [180, 'year', 1, '180 days'],
    [14, null, 1, '14 days'],
  ])('%i days of a price by the %s x %i read %s', (days, interval, count, text) =>
    expect(billingIntervalText(days, [{ interval, count }])).toBe(text),
  )
})

describe('days of an interval come from the price, not from the calendar', () => {
  it.each([
    ['month', 1, 30],
    ['month', 3, 90],
    ['month', 12, 365],
    ['year', 1, 365],
    ['year', 2, 730],
    ['week', 2, 14],
    ['day', 10, 10],
    ['fortnight', 1, null],
    [null, 1, null],
  ])('%s x %i is %s', (interval, count, days) => expect(billingIntervalDays(interval, count)).toBe(days))
})
