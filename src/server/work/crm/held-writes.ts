/** What a CRM may refuse as a whole, each apart: where it takes no new records, those that are there still go through. */
export type HeldSort =
  | 'companies'
  | 'contacts'
  | 'new records'
  | 'known records'
  | 'removed records'
  | 'associations'
  | 'removed associations'

/**
 * What the CRM refuses in this run for a reason of the whole account. It is not asked for any more, which keeps it due,
 * while everything else goes on; the run then ends as failed and says why.
 */
export type HeldWrites = {
  hold(sort: HeldSort, reason: string): void
  has(sort: HeldSort): boolean
  /** Why, each reason once; null where nothing is held. */
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
