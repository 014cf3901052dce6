import { type Instant, instantOfDate } from '#domain/instant.ts'
import {
  type ChangedKind,
  changedKinds,
  type IncompleteObject,
  type PageCursor,
  type PaymentsKind,
  paymentsKinds,
} from '../../providers/payments.ts'
import type { RunSlice } from '../../store/runs/run-slices.ts'
import type { Lease } from '../../store/runs/slice-leases.ts'

/** The lists that the history of a customer is made of; all others are needed for what it is worth now. */
export const historyKinds: readonly PaymentsKind[] = ['ended_subscriptions', 'invoices', 'invoice_payments']
export const currentKinds = paymentsKinds.filter((kind) => !historyKinds.includes(kind))

/** A list between two instants of creation, half open; null is open. */
export type WindowState = {
  kind: PaymentsKind
  from: Instant | null
  until: Instant | null
  /** When the object at the cursor was created. */
  cursorAt: Instant | null
  /** Known lower bound of what the list can hold; null when nothing is known. */
  oldestAt: Instant | null
  /** Whether its last page is in; it is done once nothing of the rest of its pages is missing. */
  isListed: boolean
  rest: IncompleteObject[]
}

/** Single objects to fetch again, in this order; `next` is the first that is open. */
export type ChangedState = { kind: ChangedKind; ids: string[]; next: number }

/**
 * What the plan found out and the import needs. `clockAt`: how far the provider's clock was when it was made, at least, and
 * what its newest change tells, or else its newest invoice; null where there was neither.
 */
export type PlanState = {
  plan: {
    isFull: boolean
    /** Whether the list of customers is read whole, as it always is of a full import. */
    areCustomersRead: boolean
    eventsUntil: Instant | null
    clockAt: Instant | null
  }
}

/** Without a change the record does not tell the provider's clock, which ours can be ahead of by less than this. */
const unknownClockSeconds = 24 * 3600

/** Up to when the record of changes has been taken up by an import with that plan, by the provider's clock. */
export function changesTakenUntil(
  { eventsUntil }: Pick<PlanState['plan'], 'eventsUntil'>,
  startedAt: Date,
): Instant {
  return eventsUntil ?? instantOfDate(startedAt) - unknownClockSeconds
}

/** By the provider's clock: what an import with that plan reads, it asks for then or later. */
export function askedAfterOf({ clockAt }: PlanState['plan']): Date {
  return new Date((clockAt ?? 0) * 1000)
}

export type WindowSlice = RunSlice<WindowState>
export type ChangedSlice = RunSlice<ChangedState>
export type PlanSlice = RunSlice<PlanState>
export type ImportSlice = WindowSlice | ChangedSlice | PlanSlice

export function isWindow(slice: ImportSlice): slice is WindowSlice {
  return 'from' in slice.state
}

export function isChanged(slice: ImportSlice): slice is ChangedSlice {
  return 'ids' in slice.state
}

export function isPlan(slice: ImportSlice): slice is PlanSlice {
  return 'plan' in slice.state
}

const noPlan = { isFull: false, areCustomersRead: false, eventsUntil: null, clockAt: null }

/** What the plan among the slices of a run says. */
export function planOf(slices: readonly ImportSlice[]): PlanState['plan'] {
  return slices.find(isPlan)?.state.plan ?? noPlan
}

/** Reads back what was saved by an earlier attempt; throws on anything else. */
export function readSliceState(state: unknown): WindowState | ChangedState | PlanState {
  const fields: Record<string, unknown> = { ...(typeof state === 'object' ? state : {}) }
  const { plan } = fields
  if (typeof plan === 'object' && plan !== null) {
    const eventsUntil = 'eventsUntil' in plan ? instantOrNull(plan.eventsUntil) : null
    const clockAt = 'clockAt' in plan ? instantOrNull(plan.clockAt) : null
    const isFull = 'isFull' in plan && plan.isFull === true
    const areCustomersRead = isFull || ('areCustomersRead' in plan && plan.areCustomersRead === true)
    return { plan: { isFull, areCustomersRead, eventsUntil, clockAt } }
  }
  const changedKind = changedKinds.find((kind) => kind === fields['kind'])
  const { ids } = fields
  if (changedKind && Array.isArray(ids))
    return { kind: changedKind, ids: ids.map(String), next: Number(fields['next']) }
  const kind = paymentsKinds.find((one) => one === fields['kind'])
  if (!kind) throw new Error('A slice of the run cannot be read.')
  return {
    kind,
    from: instantOrNull(fields['from']),
    until: instantOrNull(fields['until']),
    cursorAt: instantOrNull(fields['cursorAt']),
    oldestAt: instantOrNull(fields['oldestAt']),
    isListed: fields['isListed'] === true,
    rest: Array.isArray(fields['rest']) ? fields['rest'].map(readUnfinished) : [],
  }
}

function readUnfinished(value: unknown): IncompleteObject {
  const { id, customerId }: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) }
  return { id: String(id), customerId: typeof customerId === 'string' ? customerId : null }
}

/** A saved slice by what its state says it is. */
export function importSliceOf(slice: RunSlice<WindowState | ChangedState | PlanState>): ImportSlice {
  const { state } = slice
  if ('plan' in state) return { ...slice, state }
  return 'ids' in state ? { ...slice, state } : { ...slice, state }
}

function instantOrNull(value: unknown): Instant | null {
  return typeof value === 'number' ? value : null
}

/** A slice over a whole window, not begun. */
export function windowSlice(
  kind: PaymentsKind,
  window: { from: Instant | null; until: Instant | null; oldestAt: Instant | null },
  position: number,
): WindowSlice {
  return {
    slice: `${kind}:${window.from ?? ''}-${window.until ?? ''}`,
    position,
    cursor: null,
    doneCount: 0,
    isDone: false,
    state: { kind, ...window, cursorAt: null, isListed: false, rest: [] },
  }
}

export function cursorOf(slice: WindowSlice): PageCursor | null {
  return slice.cursor === null ? null : { id: slice.cursor, createdAt: slice.state.cursorAt ?? 0 }
}

/** For so long nobody else reads a window whose holder is silent; each page renews it, and this while no page comes. */
const leaseMs = 20_000
export const renewEveryMs = 5_000

export function leaseOf(holder: string): Lease {
  return { holder, ms: leaseMs }
}

/** Windows shorter than this are not worth a list of their own. */
const shortestWindowSeconds = 2 * 24 * 3600

/**
 * Of what is left of a window, in pages about, after so many parts were cut off: the share that stays when it is cut once
 * more, and null where it is not.
 */
export type KeptShare = (pagesLeft: number, partsBefore: number) => number | null

/**
 * The slice after a page. Where more follows, the rest of its time is cut as `keptShare` says: the newest part, of that
 * share of the time, stays, and what is older may be cut again. The slice goes on with the newest part of all; the others
 * become slices of their own.
 */
export function advance(
  slice: WindowSlice,
  next: PageCursor | null,
  pagesLeft: number,
  keptShare: KeptShare,
): { slice: WindowSlice; older: WindowSlice[] } {
  const { kind, from, oldestAt, cursorAt } = slice.state
  const moved = {
    ...slice,
    cursor: next?.id ?? slice.cursor,
    state: { ...slice.state, cursorAt: next?.createdAt ?? cursorAt, isListed: next === null },
  }
  const oldest = from ?? oldestAt
  const cutsAt: Instant[] = []
  for (let [top, pages] = [next?.createdAt, pagesLeft]; top !== undefined && oldest !== null; ) {
    if (top - oldest < shortestWindowSeconds) break
    const share = keptShare(pages, cutsAt.length)
    if (share === null) break
    top = Math.floor(top - (top - oldest) * share)
    pages *= 1 - share
    cutsAt.push(top)
  }
  const older = cutsAt.map((until, index) =>
    windowSlice(kind, { from: cutsAt[index + 1] ?? from, until, oldestAt }, slice.position),
  )
  const [newest] = cutsAt
  return {
    slice: newest === undefined ? moved : { ...moved, state: { ...moved.state, from: newest } },
    older,
  }
}
