/** What a person decided about customers; with `always`, about all of a customer's domain. */
type Deed = 'attach' | 'always' | 'create' | 'ignore' | 'restore' | 'detach' | 'undo'

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

/** A rule for a domain as the subject of an activity line. A domain may be a person's, so it is not kept here. */
export function ruleSubject(companyRecordId: string | null): string {
  return companyRecordId === null ? 'rule' : `rule ${companyRecordId}`
}

/** Reads such a subject: its company, null where the rule says never. Undefined for any other text. */
export function readRule(subject: string | null): { companyRecordId: string | null } | undefined {
  const found = /^rule(?: (\S+))?$/.exec(subject ?? '')
  return found ? { companyRecordId: found[1] ?? null } : undefined
}

/** Reads the subject of a decision; null for any other text. */
export function readDecision(subject: string | null): LoggedDecision | null {
  const found = /^(attach|always|create|ignore|restore|detach|undo) (\S+)(?: (\S+))?$/.exec(subject ?? '')
  const [, deed, about = '', companyRecordId = null] = found ?? []
  if (deed === undefined) return null
  return { deed: deed as Deed, about: /^\d+$/.test(about) ? Number(about) : about, companyRecordId }
}
