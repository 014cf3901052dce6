import { asSentence } from '../provider-error.ts'
import { HubspotError } from './hubspot-error.ts'
import type { LoneRefusals } from './lone-refusals.ts'

/** One kind of write, with the ways to handle a refusal. */
export type HalvedWrite<Row, Outcome extends object> = {
  write: (rows: readonly Row[]) => Promise<Outcome[]>
  /** The outcome when HubSpot refuses this row alone. */
  settle: (row: Row, refusal: HubspotError) => Promise<Outcome>
  isDone: (outcome: Outcome) => boolean
  /** The outcome of a row that was refused, or skipped, because of the account. */
  hold: (row: Row, message: string, isTried: boolean) => Outcome
  /** The outcome of a row that was skipped because all other rows of the same record were refused. */
  leave: (row: Row, message: string) => Outcome
  /** The record that a refusal of the row may concern. */
  recordOf: (row: Row | Outcome) => string
  /**
   * Explains a refusal that is known to concern the account, before other rows are tried; null for any other
   * refusal.
   */
  accountReason?: () => Promise<string | null>
  /** Outcomes that are final for rows that were refused together. */
  foresee?: (rows: readonly Row[], refusal: HubspotError) => Promise<Outcome[] | undefined>
  refusals: LoneRefusals
}

/** The rows that are still to be written, and the refusals of single rows so far. */
type State<Row, Outcome> = {
  outcomes: Outcome[]
  open: Row[][]
  alike: { row: Row; outcome: Outcome }[]
}

/**
 * Writes rows and halves refused batches until each failing row is isolated. When several rows from different
 * parts are refused with the same message and none is written in between, the account is the cause and the rest is
 * skipped.
 */
export async function writeInHalves<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  rows: readonly Row[],
): Promise<Outcome[]> {
  const state: State<Row, Outcome> = { outcomes: [], open: [[...rows]], alike: [] }
  while (state.open.length > 0) {
    const some = calls.refusals.areSuspicious ? takeProbe(calls, state.open) : (state.open.pop() ?? [])
    if (some.length === 0) continue
    try {
      const written = await calls.write(some)
      noteDone(calls, state, written.filter(calls.isDone))
      state.outcomes.push(...written)
    } catch (error) {
      if (!isRefusal(error)) throw error
      await takeApart(calls, state, some, error)
    }
  }
  return [...state.outcomes, ...ownOutcomes(state.alike)]
}

async function takeApart<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
  some: readonly Row[],
  refusal: HubspotError,
): Promise<void> {
  const foreseen = await calls.foresee?.(some, refusal)
  const [first] = some
  if (foreseen) state.outcomes.push(...foreseen)
  else if (some.length === 1 && first !== undefined) await refuseAlone(calls, state, first, refusal)
  else {
    const middle = Math.ceil(some.length / 2)
    state.open.push(some.slice(middle), some.slice(0, middle))
  }
}

async function refuseAlone<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
  row: Row,
  refusal: HubspotError,
): Promise<void> {
  const { refusals } = calls
  const outcome = await calls.settle(row, refusal)
  if (calls.isDone(outcome)) {
    noteDone(calls, state, [outcome])
    state.outcomes.push(outcome)
    return
  }
  if (!refusals.add(refusal, calls.recordOf(row))) state.outcomes.push(...ownOutcomes(state.alike.splice(0)))
  state.alike.push({ row, outcome })
  const reason = (await calls.accountReason?.()) ?? null
  if (reason === null && !refusals.areMany) return
  const rest = state.open.splice(0).flat()
  if (reason === null && refusals.areOfOneRecord) {
    const isAbout = (one: Row) => refusals.isAbout(calls.recordOf(one))
    state.outcomes.push(...rest.filter(isAbout).map((one) => calls.leave(one, refusal.message)))
    state.open.push(rest.filter((one) => !isAbout(one)))
    endAlike(calls, state)
    return
  }
  const message = [asSentence(refusal.message), reason ?? ''].join(' ').trim()
  const tried = state.alike.splice(0).map((one) => calls.hold(one.row, message, true))
  state.outcomes.push(...tried, ...rest.map((one) => calls.hold(one, message, false)))
}

/** The outcomes of refused rows, each of which was refused because of its own content. */
const ownOutcomes = <Outcome>(alike: readonly { outcome: Outcome }[]) => alike.map(({ outcome }) => outcome)

function noteDone<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
  done: readonly Outcome[],
): void {
  if (done.length > 0 && calls.refusals.noteWritten(done.map(calls.recordOf))) endAlike(calls, state)
}

/** Each row refused so far was refused because of its own content. */
function endAlike<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
): void {
  calls.refusals.clear()
  state.outcomes.push(...ownOutcomes(state.alike.splice(0)))
}

/** Picks a row from another part of the remaining ones, because its outcome tells more than a neighbour's. */
function takeProbe<Row, Outcome extends object>(
  { refusals, recordOf }: HalvedWrite<Row, Outcome>,
  open: Row[][],
): readonly Row[] {
  const stretches = open.map((_, index) => open[(refusals.count + index) % open.length] ?? [])
  const isTelling = (row: Row) => refusals.isTelling(recordOf(row))
  const stretch = stretches.find((rows) => rows.some(isTelling)) ?? stretches[0] ?? []
  const probe = stretch.splice(Math.max(0, stretch.findIndex(isTelling)), 1)
  open.splice(0, open.length, ...open.filter((rows) => rows.length > 0))
  return probe
}

/** Whether HubSpot answered that it will not do this, so that halves of the batch may still succeed. */
export function isRefusal(error: unknown): error is HubspotError {
  return error instanceof HubspotError && (error.kind === 'rejected' || error.kind === 'not_found')
}
