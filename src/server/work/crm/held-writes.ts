import { asSentence } from '../../providers/provider-error.ts'

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

/** Holds nothing yet. */
export function createHeldWrites(): HeldWrites {
  const reasons = new Map<HeldSort, string>()
  return {
    hold: (sort, reason) => void reasons.set(sort, reason),
    has: (sort) => reasons.has(sort),
    explain(crmName) {
      if (reasons.size === 0) return null
      const what = new Intl.ListFormat('en-US').format([...reasons.keys()].map((sort) => sortTexts[sort]))
      const why = [...new Set([...reasons.values()].map(asSentence))].join(' ')
      return `${crmName} refused ${what} for the whole account: ${why} What was not written is still due: put it right in ${crmName}, then sync again.`
    },
  }
}

const sortTexts: Record<HeldSort, string> = {
  companies: 'new companies',
  contacts: 'new contacts',
  'new records': 'new records',
  'known records': 'changes to records',
  'removed records': 'the removal of records',
  associations: 'new links between records',
  'removed associations': 'the removal of links',
}
