import { type PageCursor, type PaymentsKind, paymentsKinds } from '../../providers/payments.ts'
import type { ImportWindow, Lease } from '../../store/runs/import-windows.ts'

/** These lists make up a customer's history; the other lists give its current value. */
export const historyKinds: readonly PaymentsKind[] = ['ended_subscriptions', 'invoices', 'invoice_payments']
export const currentKinds = paymentsKinds.filter((kind) => !historyKinds.includes(kind))

/** A window before its first page. */
export function newWindow(
  kind: PaymentsKind,
  bounds: Pick<ImportWindow, 'from' | 'until' | 'oldestAt'>,
): ImportWindow {
  return {
    id: `${kind}:${bounds.from ?? ''}-${bounds.until ?? ''}`,
    kind,
    ...bounds,
    cursorId: null,
    cursorAt: null,
    allPagesRead: false,
    incomplete: [],
    doneCount: 0,
    isDone: false,
  }
}

/** Where the next page of the window begins; null at its start. */
export function cursorOf({ cursorId, cursorAt }: ImportWindow): PageCursor | null {
  return cursorId === null ? null : { id: cursorId, createdAt: cursorAt ?? 0 }
}

/**
 * If the holder of a window is silent for this long, another reader may read the window. Each saved page
 * renews the lease; between pages, a timer renews it.
 */
const leaseMs = 20_000
export const renewEveryMs = 5_000

/** The right of one worker to read a window for 20 seconds. */
export function leaseOf(holder: string): Lease {
  return { holder, ms: leaseMs }
}
