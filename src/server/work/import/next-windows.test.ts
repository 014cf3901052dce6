import { describe, expect, it } from 'vitest'
import type { OpenWindow } from '../../store/runs/import-windows.ts'
import { chooseWindows, historyWatermark } from './next-windows.ts'
import { newWindow } from './windows.ts'

/** A free window between these instants, with these changes. */
function open(
  kind: OpenWindow['kind'],
  from: number | null,
  until: number | null,
  more: Partial<OpenWindow> = {},
): OpenWindow {
  return { ...newWindow(kind, { from, until, oldestAt: null }), isFree: true, ...more }
}
const parts = (kind: OpenWindow['kind'], count: number) =>
  Array.from({ length: count }, (_, part) => open(kind, part, part + 1))
const idsOf = (windows: readonly OpenWindow[]) => windows.map(({ id }) => id)
const choose = (windows: readonly OpenWindow[], figuresStand: boolean, limit = 16) =>
  idsOf(chooseWindows(windows, { limit, figuresStand }))

describe('of the open windows', () => {
  it('some of each list are read before more of any, of the history the newest', () => {
    const windows = [...parts('invoices', 6), open('invoice_payments', 0, 1), ...parts('customers', 6)]
    const first = ['customers:0-1', 'customers:1-2', 'customers:2-3', 'customers:3-4']
    const history = ['invoices:5-6', 'invoices:4-5', 'invoices:3-4', 'invoices:2-3', 'invoice_payments:0-1']
    expect(choose(windows, true, 11)).toEqual([...first, ...history, 'customers:4-5', 'customers:5-6'])
    expect(choose(windows, true, 2)).toEqual(first.slice(0, 2))
  })

  it('each list of the history gets two until current figures stand, whoever reads them', () => {
    const windows = [...parts('customers', 3), ...parts('invoices', 3), ...parts('invoice_payments', 3)]
    const customers = ['customers:0-1', 'customers:1-2', 'customers:2-3']
    const newest = ['invoices:2-3', 'invoices:1-2', 'invoice_payments:2-3', 'invoice_payments:1-2']
    expect(choose(windows, false)).toEqual([...customers, ...newest])
    const held = windows.map((one) => (newest.includes(one.id) ? { ...one, isFree: false } : one))
    expect(choose(held, false)).toEqual(customers)
    expect(choose(held, true)).toEqual([...customers, 'invoices:0-1', 'invoice_payments:0-1'])
  })

  it('one of which all pages are read takes no place of another', () => {
    const rest = open('invoices', 4, 5, { isFree: false, allPagesRead: true })
    expect(choose([rest, ...parts('invoices', 3)], false)).toEqual(['invoices:2-3', 'invoices:1-2'])
  })

  it('those of ended subscriptions wait for the list of current ones', () => {
    const ended = open('ended_subscriptions', null, null)
    const current = open('current_subscriptions', null, null, { isFree: false })
    expect(choose([ended, current], true)).toEqual([])
    expect(choose([ended], true)).toEqual([ended.id])
  })

  it('none that somebody holds is read, and a whole list comes before its older parts', () => {
    const held = open('customers', 0, 9, { isFree: false })
    expect(choose([held, open('invoices', 0, 5), open('invoices', 5, null)], true)).toEqual([
      'invoices:5-',
      'invoices:0-5',
    ])
  })
})

describe('how far back the history is read', () => {
  const incomplete = ['cus_b', 'cus_a', 'cus_b', null].map((customerId, index) => ({
    ...{ id: `in_${index}`, customerId },
  }))
  it.each<[string, OpenWindow[], number | null]>([
    ['is after the second at the cursor', [open('invoices', null, null, { cursorAt: 500 })], 501],
    ['is where a list that is not begun ends', [open('invoices', null, 400)], 400],
    [
      'is the newest of all that is open',
      [open('invoices', null, 400), open('invoice_payments', null, 700, { cursorAt: 600 })],
      601,
    ],
    [
      'is not known of a whole list that is not begun',
      [open('invoices', null, null), open('invoice_payments', null, 9, { cursorAt: 5 })],
      null,
    ],
    [
      'does not ask for other lists',
      [open('customers', null, null), open('invoices', null, null, { cursorAt: 500 })],
      501,
    ],
    ['is not known where none is open', [open('customers', null, null)], null],
    [
      'is told by those of which pages are still to come',
      [
        open('invoices', 601, 700, { cursorAt: 600, allPagesRead: true, incomplete }),
        open('invoices', null, 600, { cursorAt: 500 }),
      ],
      501,
    ],
    [
      'is without end where all pages are read',
      [open('invoices', null, 700, { cursorAt: 600, allPagesRead: true, incomplete })],
      0,
    ],
  ])('%s', (_, windows, since) => {
    const customers = windows.some((one) => one.incomplete.length > 0) ? ['cus_b', 'cus_a'] : []
    expect(historyWatermark(windows)).toEqual(
      since === null ? null : { since, incompleteCustomers: new Set(customers) },
    )
  })
})
