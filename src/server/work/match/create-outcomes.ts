import { ProviderError } from '../../providers/provider-error.ts'
import type { Draft } from './decide-page.ts'
import type { MatchSession } from './session.ts'

/** The CRM refused it for a reason that concerns the whole account. */
type Held = { key: string; state: 'held'; message: string }

/**
 * Creates companies or contacts in as many calls as they need, and returns the outcomes so far. Where the account refuses
 * all of them, it says so, their customers stay open, and matching goes on.
 */
export async function inChunks<Item, Outcome extends { state: string }>(
  { deps, held, report }: MatchSession,
  sort: 'companies' | 'contacts',
  items: readonly Item[],
  create: (chunk: readonly Item[]) => Promise<(Outcome | Held)[]>,
): Promise<Outcome[]> {
  const size = deps.crm.limits.recordsPerBatch
  const outcomes: Outcome[] = []
  for (let start = 0; start < items.length && !held.has(sort); start += size) {
    try {
      for (const outcome of await create(items.slice(start, start + size))) {
        if (isHeld(outcome)) held.hold(sort, outcome.message)
        else outcomes.push(outcome)
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      // Refused rows come back as outcomes. An exception means that the search for existing records was refused.
      if (error.kind === 'rejected') held.hold(sort, error.message)
      else if (error.kind === 'forbidden') report(null, `New ${sort} were not created: ${error.message}`)
      else throw error
      break
    }
  }
  return outcomes
}

function isHeld<Outcome extends { state: string }>(outcome: Outcome | Held): outcome is Held {
  return outcome.state === 'held'
}

/** The first customer of each key; the refusal is reported for that customer. */
export function customersBy(
  drafts: readonly Draft[],
  keyOf: (draft: Draft) => string | null,
): Map<string, string> {
  return new Map(drafts.toReversed().map((draft) => [keyOf(draft) ?? '', draft.customer.customerId]))
}

/** Reports what the CRM refused, and requests whose outcome is unknown. */
export function reportUnmade(
  { report }: MatchSession,
  outcomes: readonly { key: string; message?: string }[],
  whose: ReadonlyMap<string, string>,
  subject: (key: string) => string,
): void {
  for (const { key, message } of outcomes)
    if (message !== undefined) report(whose.get(key) ?? null, `${subject(key)}: ${message}`)
}
