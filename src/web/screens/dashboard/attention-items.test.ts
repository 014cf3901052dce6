import { expect, it } from 'vitest'
import { attentionItems } from './attention-items.ts'

it('says more than 1,000 where no more are counted, and then nothing of their MRR', () => {
  const none = { count: 0, mrr: 0 }
  const many = { count: 1_000, isCapped: true, mrr: null }
  const endedAt = '2026-10-01T01:00:00.000Z'
  const failedRun = {
    id: 'run_1',
    type: 'import' as const,
    problem: 'failed' as const,
    reason: 'Stripe was away.',
    endedAt,
  }
  const [failed, ...items] = attentionItems({
    ...{ reportingCurrency: 'usd', customersToMatch: none, pastDue: { count: 1, mrr: 5_000 } },
    ...{ canceling: many, failing: { count: 2, isCapped: false, mrr: 300 } },
    ...{ failingEvents: many, stale: { ...none, isCapped: false } },
    ...{ deadConnections: [], disconnected: [], undecidedAccount: null, failedRuns: [failedRun] },
  })
  const [missing] = attentionItems({
    ...{ reportingCurrency: 'usd', customersToMatch: none, pastDue: none },
    ...{ canceling: many, failing: many, failingEvents: many, stale: many },
    ...{
      deadConnections: [],
      disconnected: [{ provider: 'stripe', lastAt: endedAt }],
      undecidedAccount: null,
      failedRuns: [failedRun],
    },
  })
  expect(missing).toMatchObject({ text: 'Stripe is not connected', at: endedAt, to: '/data-sync' })
  expect(failed).toMatchObject({ text: 'The last import from Stripe failed', to: '/sync-history/run_1' })
  expect(items.map(({ text, note }) => [text, note])).toEqual([
    ['2 subscriptions failing to sync', '$3.00 of MRR may be wrong in HubSpot'],
    ['More than 1,000 events failing to sync', ''],
    ['1 subscription past due', '$50.00 of MRR at risk'],
    ['More than 1,000 subscriptions with a planned cancellation', ''],
  ])
})
