import { expect, it } from 'vitest'
import { differencesOf, toldFields, toldOf, valuesOfSubscription } from './crm-record.ts'
import { convertedFields } from './reporting/crm-converted.ts'

const source = {
  ...{ id: 'sub_1', status: 'active', mrrCents: 1_250, currency: 'usd', quantity: 2, productName: 'Team' },
  ...{
    billingIntervalDays: 30,
    createdAt: 0,
    periodStart: 0,
    periodEnd: 86_400,
    nextRenewalOn: '2026-11-30',
  },
  ...{ trialEnd: null, cancelAt: null, endedAt: null, unsupportedReason: null, receipt: null },
  customer: { id: 'cus_1', name: 'Kim Harbor', email: 'kim@harbor.example' },
  url: 'https://pay.example/sub_1',
}

it('keeps fields that records have', () => {
  const known = [...Object.keys(valuesOfSubscription(source)), ...convertedFields.subscription]
  expect(toldFields.filter((field) => !known.includes(field))).toEqual([])
})

it('keeps no value of a person', () => {
  const told = toldOf(valuesOfSubscription(source))
  expect(Object.keys(told)).toEqual([...toldFields])
  expect(JSON.stringify(told)).not.toMatch(/kim|harbor|cus_1/i)
})

it('tells each value that differs, the weightiest first, and those that came or went', () => {
  const told = toldOf(valuesOfSubscription(source))
  const changed = { ...source, mrrCents: 2_500, status: 'past_due', quantity: null, cancelAt: 86_400 }
  expect(differencesOf(told, toldOf(valuesOfSubscription(changed)))).toEqual([
    { field: 'status', before: 'active', after: 'past_due', currency: null },
    { field: 'mrr', before: '12.50', after: '25.00', currency: { before: 'USD', after: 'USD' } },
    { field: 'quantity', before: '2', after: '', currency: null },
    { field: 'cancelAt', before: '', after: '1970-01-02T00:00:00Z', currency: null },
  ])
})

it('tells nothing of values that it does not keep, or did not keep then', () => {
  const { status: _status, ...older } = toldOf(valuesOfSubscription(source))
  const customer = { ...source.customer, name: 'Other' }
  expect(
    differencesOf(older, toldOf(valuesOfSubscription({ ...source, status: 'canceled', customer }))),
  ).toEqual([])
})
