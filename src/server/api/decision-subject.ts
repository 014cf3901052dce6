/** What a person decided about customers. */
type Deed = 'attach' | 'create' | 'ignore' | 'restore' | 'detach' | 'undo'

/** A decision as the activity log keeps it. */
export type LoggedDecision = {
  deed: Deed
  /** The only customer, or how many there were. */
  about: string | number
  companyRecordId: string | null
}

/**
 * The decision as the subject of an activity line. It has ids and no names: names are read when the line is shown, so
 * that an erased customer is nowhere called by its name.
 */
export function decisionSubject(
  deed: Deed,
  customers: readonly { customerId: string; companyRecordId?: string }[],
): string {
  const [only, ...others] = customers
  if (only === undefined || others.length > 0) return `${deed} ${customers.length}`
  return [deed, only.customerId, ...(only.companyRecordId === undefined ? [] : [only.companyRecordId])].join(
    ' ',
  )
}

/** Reads such a subject; null for any other text. */
export function readDecision(subject: string | null): LoggedDecision | null {
  const found = /^(attach|create|ignore|restore|detach|undo) (\S+)(?: (\S+))?$/.exec(subject ?? '')
  const [, deed, about = '', companyRecordId = null] = found ?? []
  if (deed === undefined) return null
  return { deed: deed as Deed, about: /^\d+$/.test(about) ? Number(about) : about, companyRecordId }
}
