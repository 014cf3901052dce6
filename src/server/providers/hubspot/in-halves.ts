import { HubspotError } from './hubspot-error.ts'
import type { LoneRefusals } from './lone-refusals.ts'

/** One sort of write, as it is taken apart where HubSpot refuses it as a whole. */
export type HalvedWrite<Row, Outcome extends object> = {
  write: (rows: readonly Row[]) => Promise<Outcome[]>
  /** What a refusal of this row alone comes to. */
  settle: (row: Row, refusal: HubspotError) => Promise<Outcome>
  isDone: (outcome: Outcome) => boolean
  /** What becomes of a row that is refused for the sake of the account, or not tried any more because of that. */
  hold: (row: Row, message: string, isTried: boolean) => Outcome
  /** What becomes of a row that is not tried because others about the same record were refused one and all. */
  leave: (row: Row, message: string) => Outcome
  /** The record that a refusal of the row may be about. */
  recordOf: (row: Row | Outcome) => string
  /** Says more of a refusal that is known to be the account's before others are tried; null for any other. */
  accountReason?: () => Promise<string | null>
  /** Outcomes that need no further try, of rows that were refused as a whole. */
  foresee?: (rows: readonly Row[], refusal: HubspotError) => Promise<Outcome[] | undefined>
  refusals: LoneRefusals
}

/** What is still to be written, and what was refused alone and alike so far. */
type State<Row, Outcome> = {
  outcomes: Outcome[]
  open: Row[][]
  alike: { row: Row; outcome: Outcome }[]
}

/**
 * Writes rows; those refused as a whole are halved until the culprits stand alone. Where a handful of them from all over
 * the rows is refused in the same words, and nothing is written in between, it is the account's refusal: the rest is not
 * tried any more.
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
  return [...state.outcomes, ...state.alike.map(({ outcome }) => outcome)]
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
  if (!refusals.add(refusal, calls.recordOf(row))) state.outcomes.push(...outcomesOf(state.alike.splice(0)))
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
  const message = [refusal.message, reason ?? ''].join(' ').trim()
  const tried = state.alike.splice(0).map((one) => calls.hold(one.row, message, true))
  state.outcomes.push(...tried, ...rest.map((one) => calls.hold(one, message, false)))
}

const outcomesOf = <Outcome>(alike: readonly { outcome: Outcome }[]) => alike.map(({ outcome }) => outcome)

function noteDone<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
  done: readonly Outcome[],
): void {
  if (done.length > 0 && calls.refusals.noteWritten(done.map(calls.recordOf))) endAlike(calls, state)
}

/** What was refused alone so far was refused for its own sake. */
function endAlike<Row, Outcome extends object>(
  calls: HalvedWrite<Row, Outcome>,
  state: State<Row, Outcome>,
): void {
  calls.refusals.clear()
  state.outcomes.push(...outcomesOf(state.alike.splice(0)))
}

/** One row from another part of what is open, such that its outcome tells more than those before. */
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

export function isRefusal(error: unknown): error is HubspotError {
  return error instanceof HubspotError && (error.kind === 'rejected' || error.kind === 'not_found')
}
