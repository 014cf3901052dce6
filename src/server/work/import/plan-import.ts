import { type Instant, instantOfDate } from '#domain/instant.ts'
import {
  type ChangedKind,
  changedKinds,
  type PaymentsChanges,
  type PaymentsReader,
  paymentsKinds,
} from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { PaymentMirror } from '../../store/payment-mirror.ts'
import { type ImportOptions, instantOfText } from './import-options.ts'
import { type ChangedSlice, type ImportSlice, type PlanSlice, windowSlice } from './import-slice.ts'

/** The provider's record of changes reaches back 30 days; what is this old is read anew instead. */
const changesMaxAgeMs = 25 * 24 * 3600 * 1000
/** Changes can appear in the record some minutes late. */
const overlapSeconds = 10 * 60
/** Ids in one slice, so that its row stays small. */
const idsPerSlice = 500
const afterWindows = 1_000

/** How far everything is in the tables. */
export type Refreshed = Pick<PaymentMirror, 'refreshed_at' | 'events_until'>

/**
 * What an import has to read. The whole history: every list without bounds. A window: the lists from its start, and each
 * object that changed since the last import; without that import, or without a record of changes, the whole history.
 */
export async function planImport(
  reader: PaymentsReader,
  options: ImportOptions,
  known: { mirror: Refreshed | undefined; startedAt: Date; accountCreatedAt: Instant | null },
): Promise<ImportSlice[]> {
  const { accountCreatedAt } = known
  const record = options.mode === 'window' ? recordOf(known.mirror, known.startedAt) : null
  const changes = record && (await listChangesIfPermitted(reader, record.since))
  if (options.mode === 'window' && record && changes) {
    const eventsUntil = Math.max(changes.newestAt ?? 0, record.newestAt)
    return [
      planSlice(false, eventsUntil),
      ...windowsOf(options, record.since, known.startedAt),
      ...changedOf(changes, record.since),
    ]
  }
  const eventsUntil = await findNewestIfPermitted(reader)
  const everything = { from: null, until: null, oldestAt: accountCreatedAt }
  return [
    planSlice(true, eventsUntil),
    ...paymentsKinds.map((kind, position) => windowSlice(kind, everything, position)),
  ]
}

/** Where the record of changes has to be read on, by the provider's clock; null when it does not reach back so far. */
function recordOf(mirror: Refreshed | undefined, now: Date): { since: Instant; newestAt: Instant } | null {
  if (!mirror?.refreshed_at || !mirror.events_until) return null
  if (now.getTime() - mirror.refreshed_at.getTime() > changesMaxAgeMs) return null
  const newestAt = instantOfDate(mirror.events_until)
  // What was older than the lag when it was read was whole then, and is not read again.
  const settled = Math.min(newestAt + 1, instantOfDate(mirror.refreshed_at) - overlapSeconds)
  return { since: Math.max(newestAt - overlapSeconds, settled), newestAt }
}

function windowsOf(
  options: ImportOptions & { mode: 'window' },
  since: Instant,
  startedAt: Date,
): ImportSlice[] {
  const from = Math.min(instantOfText(options.from), since)
  const until = instantOfText(options.until)
  // A window up to now stays open: the provider's clock may be ahead of ours.
  const isUpToNow = until >= instantOfDate(startedAt) - overlapSeconds
  return paymentsKinds.map((kind, position) =>
    windowSlice(kind, { from, until: isUpToNow ? null : until, oldestAt: from }, position),
  )
}

function changedOf({ ids }: PaymentsChanges, since: Instant): ChangedSlice[] {
  return changedKinds.flatMap((kind, order) => {
    const named = ids[kind] ?? []
    const count = Math.ceil(named.length / idsPerSlice)
    return Array.from({ length: count }, (_, index) =>
      changedSlice(
        kind,
        named.slice(index * idsPerSlice, (index + 1) * idsPerSlice),
        `${since}:${index}`,
        order,
      ),
    )
  })
}

function changedSlice(kind: ChangedKind, ids: string[], part: string, order: number): ChangedSlice {
  return {
    slice: `changed:${kind}:${part}`,
    position: afterWindows + order,
    cursor: null,
    doneCount: 0,
    isDone: false,
    state: { kind, ids, next: 0 },
  }
}

function planSlice(isFull: boolean, eventsUntil: Instant | null): PlanSlice {
  return {
    slice: 'plan',
    position: 0,
    cursor: null,
    doneCount: 0,
    isDone: true,
    state: { plan: { isFull, eventsUntil } },
  }
}

function listChangesIfPermitted(reader: PaymentsReader, since: Instant): Promise<PaymentsChanges | null> {
  return reader.listChanges(since).catch(nullIfForbidden)
}

function findNewestIfPermitted(reader: PaymentsReader): Promise<Instant | null> {
  return reader.findNewestChange().catch(nullIfForbidden)
}

function nullIfForbidden(error: unknown): null {
  if (error instanceof ProviderError && error.kind === 'forbidden') return null
  throw error
}
