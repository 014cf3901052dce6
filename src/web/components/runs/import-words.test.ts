import { expect, test } from 'vitest'
import { importKindText, importPhaseText } from './import-words.ts'

test.each([
  ['prices_active', 'Active prices'],
  ['prices_archived', 'Archived prices'],
  ['current_subscriptions', 'Current subscriptions'],
  ['invoice_payments', 'Invoice payments'],
  ['customers', 'Customers'],
])('names the list %s in plain words', (kind, text) => {
  expect(importKindText(kind)).toBe(text)
})

test('says what an import does, except that it imports', () => {
  expect(importPhaseText({ phase: 'importing', message: 'Invoices 3 of about 9.' })).toBeNull()
  expect(importPhaseText({ phase: 'rebuilding', message: '' })).toBe('Calculating MRR')
  expect(importPhaseText({ phase: 'waiting', message: 'It goes on at 10:00 UTC.' })).toBe(
    'It goes on at 10:00 UTC.',
  )
  const silence = "Stripe isn't answering. Retrying…"
  expect(importPhaseText({ phase: 'importing', message: silence })).toBe(silence)
})
