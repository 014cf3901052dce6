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

/** These lists make up a customer's history; the other lists give its current value. */
export const historyKinds: readonly PaymentsKind[] = ['ended_subscriptions', 'invoices', 'invoice_payments']
export const currentKinds = paymentsKinds.filter((kind) => !historyKinds.includes(kind))

/** A list between two instants of creation, half open; null means no bound. */
export type WindowState = {
  kind: PaymentsKind
  from: Instant | null
  until: Instant | null
  /** When the object at the cursor was created. */
  cursorAt: Instant | null
  /** Known lower bound of the creation times in this list; null if unknown. */
  oldestAt: Instant | null
  /** Whether the last page is saved. The slice is done once `rest` is empty as well. */
  isListed: boolean
  rest: IncompleteObject[]
}

/** Single objects to fetch again, in this order; `next` is the first index that is not yet fetched. */
export type ChangedState = { kind: ChangedKind; ids: string[]; next: number }

/**
 * What the plan found out for the import. `clockAt` is a lower bound of the provider's clock at planning: its
 * newest change, else its newest invoice, else null.
 */
export type PlanState = {
  plan: {
    isFull: boolean
    /** Whether this import reads the whole list of customers, as every full import does. */
    areCustomersRead: boolean
    eventsUntil: Instant | null
    clockAt: Instant | null
  }
}

/**
 * If the record of changes is empty, the provider's clock is unknown. We assume that ours is ahead by less
 * than this.
 */
const unknownClockSeconds = 24 * 3600

/** The end of the record of changes that an import with this plan has read, by the provider's clock. */
export function changesTakenUntil(
  { eventsUntil }: Pick<PlanState['plan'], 'eventsUntil'>,
  startedAt: Date,
): Instant {
  return eventsUntil ?? instantOfDate(startedAt) - unknownClockSeconds
}

/** A lower bound, by the provider's clock, of every request that an import with this plan makes. */
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

/** The plan among the slices of a run. */
export function planOf(slices: readonly ImportSlice[]): PlanState['plan'] {
  return slices.find(isPlan)?.state.plan ?? noPlan
}

/** Reads the state that an earlier attempt saved; throws if it is anything else. */
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

/** Gives a saved slice the type that matches its state. */
export function importSliceOf(slice: RunSlice<WindowState | ChangedState | PlanState>): ImportSlice {
  const { state } = slice
  if ('plan' in state) return { ...slice, state }
  return 'ids' in state ? { ...slice, state } : { ...slice, state }
}

function instantOrNull(value: unknown): Instant | null {
  return typeof value === 'number' ? value : null
}

/** A slice over a whole window, before its first page. */
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

/**
 * If the holder of a window is silent for this long, another reader may read the window. Each saved page
 * renews the lease; between pages, a timer renews it.
 */
const leaseMs = 20_000
export const renewEveryMs = 5_000

export function leaseOf(holder: string): Lease {
  return { holder, ms: leaseMs }
}

/** A shorter window does not justify a list of its own. */
const shortestWindowSeconds = 2 * 24 * 3600

/**
 * Receives the estimated pages left in a window and the number of parts cut off so far. Returns the share
 * that stays after one more cut, or null for no cut.
 */
export type KeptShare = (pagesLeft: number, partsBefore: number) => number | null

/**
 * Moves the slice past a page. If more pages follow, `keptShare` may cut the remaining time: the slice keeps
 * the newest part, and each older part becomes a slice of its own.
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
