import { describe, expect, it } from 'vitest'
import { progressText } from './progress-text.ts'

describe('the text of an import in progress', () => {
  it('counts what is still being read, the most of it first', () => {
    const counts = [
      { kind: 'subscriptions', done: 500, total: 500 },
      { kind: 'customers', done: 480, total: 500 },
      { kind: 'invoices', done: 3_400, total: 12_100 },
    ]
    expect(progressText(counts, [], 0)).toBe('Invoices 3,400 of about 12,100, Customers 480 of about 500.')
  })

  it('says how long the slowest takes at the pace since it is watched', () => {
    const begun = [
      { kind: 'invoices', done: 1_000, atMs: 0 },
      { kind: 'invoice_payments', done: 0, atMs: 0 },
    ]
    const counts = [
      { kind: 'invoices', done: 2_000, total: 10_000 },
      { kind: 'invoice_payments', done: 5_000, total: 6_000 },
    ]
    expect(progressText(counts, begun, 20_000)).toBe(
      'Invoices 2,000 of about 10,000, Invoice payments 5,000 of about 6,000. About 3 minutes left to read.',
    )
    expect(progressText(counts.slice(1), begun, 20_000)).toMatch(/Less than a minute left to read\.$/)
  })

  it.each([
    ['a total is not known', { kind: 'invoices', done: 100, total: null }, 60_000, 'Invoices 100.'],
    ['nothing came yet', { kind: 'invoices', done: 0, total: 100 }, 60_000, 'Invoices 0 of about 100.'],
    ['too little was watched', { kind: 'invoices', done: 9, total: 99 }, 9_000, 'Invoices 9 of about 99.'],
  ])('is silent on the time while %s', (_, count, watchedMs, text) => {
    expect(progressText([count], [{ kind: count.kind, done: 0, atMs: 0 }], watchedMs)).toBe(text)
  })

  it('goes by how long each kind is read: one whose turn came late is not taken for slow', () => {
    const begun = [
      { kind: 'invoices', done: 0, atMs: 0 },
      { kind: 'ended_subscriptions', done: 0, atMs: 300_000 },
    ]
    const counts = [
      { kind: 'invoices', done: 9_000, total: 10_000 },
      { kind: 'ended_subscriptions', done: 100, total: 1_000 },
    ]
    expect(progressText(counts, begun, 315_000)).toMatch(/About 3 minutes left to read\.$/)
    expect(progressText(counts, begun, 305_000)).toMatch(/Less than a minute left to read\.$/)
  })

  it('is empty when everything is in', () => {
    expect(progressText([{ kind: 'invoices', done: 9, total: 9 }], [], 60_000)).toBe('')
  })
})
