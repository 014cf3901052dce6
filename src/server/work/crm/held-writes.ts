/**
 * Kinds of writes that a CRM may refuse entirely. They are separate: a CRM that accepts no new records may still
 * accept updates.
 */
export type HeldSort =
  | 'companies'
  | 'contacts'
  | 'new records'
  | 'known records'
  | 'removed records'
  | 'associations'
  | 'removed associations'

/**
 * What the CRM refuses in this run for a reason that concerns the whole account. We stop sending it, so that it stays
 * due, and continue with the rest; the run then ends as failed with the reason.
 */
export type HeldWrites = {
  hold(sort: HeldSort, reason: string): void
  has(sort: HeldSort): boolean
  /** The reasons, without duplicates; null if nothing is held. */
  explain(crmName: string): string | null
}

export function createHeldWrites(): HeldWrites {
  const reasons = new Map<HeldSort, string>()
  return {
    hold: (sort, reason) => void reasons.set(sort, reason),
    has: (sort) => reasons.has(sort),
    explain(crmName) {
      if (reasons.size === 0) return null
      return heldText(crmName, [...reasons.keys()].join(', '), [...new Set(reasons.values())].join(' '))
    },
  }
}

export function heldText(crmName: string, what: string, reason: string): string {
  return `${crmName} refuses this for the whole account (${what}): ${reason} What was not written is still due: put it right in ${crmName}, then sync again.`
}
