import { expect, test } from 'vitest'
import { answerText, failedStep, logText } from './failure-words.ts'

const request = (path: string) => ({ method: 'GET', path })

test('a failed run names its step and what it carried', () => {
  const import_ = (phase: string | null, path?: string) =>
    failedStep({
      type: 'import',
      failure: { phase, request: path === undefined ? null : request(path) },
    })
  expect(import_('importing', '/v1/invoices')).toBe('Invoices from Stripe')
  expect(import_('importing', '/v1/invoices/{id}/lines')).toBe('Invoices from Stripe')
  expect(import_(null, '/v1/events')).toBe('Changes from Stripe')
  expect(import_('rebuilding')).toBe('Calculating MRR')
  expect(import_('waiting')).toBeNull()
  const sync = (phase: string) => failedStep({ type: 'sync', failure: { phase, request: request('/crm') } })
  expect(sync('subscriptions')).toBe('Subscriptions to HubSpot')
  expect(sync('looking')).toBe('Changes made in HubSpot')
  expect(failedStep({ type: 'sync', failure: null })).toBeNull()
})

test('an answer is told by its status and the word of the provider', () => {
  const answer = (request: { status?: number; code?: string }) =>
    answerText({ failure: { phase: null, request } })
  expect(answer({ status: 400, code: 'VALIDATION_ERROR' })).toBe('400 VALIDATION_ERROR')
  expect(answer({ status: 503 })).toBe('503')
  expect(answer({})).toBeNull()
})

test('a line of the log has its time in the words of the screens', () => {
  const line = logText('2026-11-29T15:36:07.536Z Matched 250 of 298 open customers')
  expect(line).toMatch(/^Nov 29, 2026, \d+:36:07\sPM .* Matched 250 of 298 open customers$/)
  expect(logText('Matched 250')).toBe('Matched 250')
})
