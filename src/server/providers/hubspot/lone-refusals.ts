import type { CrmAccess } from '../crm-directory.ts'
import type { HubspotError } from './hubspot-error.ts'

/** So many alike are taken for a refusal that has nothing to do with the rows. */
const handful = 5
/** After so many alike, rows from elsewhere are tried before their neighbours. */
const suspicious = 2

/** What was refused alone and in the same words, one after the other, with nothing written in between. */
export class LoneRefusals {
  #words = ''
  #count = 0
  /** Whether others were written while one record was refused again and again. */
  #areElsewhereFine = false
  readonly #records = new Set<string>()

  /** Whether it is one more of those before. */
  add(refusal: HubspotError, recordId: string): boolean {
    const words = wordsOf(refusal, recordId)
    const isAlike = words === this.#words
    if (!isAlike) this.clear()
    this.#words = words
    this.#count += 1
    this.#records.add(recordId)
    return isAlike
  }

  /** Takes note that something was written; whether that ends the row of refusals. */
  noteWritten(recordIds: readonly string[]): boolean {
    const isElsewhere = !recordIds.some((recordId) => this.#records.has(recordId))
    if (isElsewhere && this.areOfOneRecord && this.areSuspicious) {
      this.#areElsewhereFine = true
      return false
    }
    this.clear()
    return true
  }

  clear(): void {
    this.#words = ''
    this.#count = 0
    this.#areElsewhereFine = false
    this.#records.clear()
  }

  get count(): number {
    return this.#count
  }

  get areSuspicious(): boolean {
    return this.#count >= suspicious
  }

  get areMany(): boolean {
    return this.#count >= handful
  }

  /** All that are about one record may be that record's own affair: it may be full. */
  get areOfOneRecord(): boolean {
    return this.#records.size === 1
  }

  isAbout(recordId: string): boolean {
    return this.#records.has(recordId)
  }

  /** Whether a try with this record tells more: another one, until it is known that others go through. */
  isTelling(recordId: string): boolean {
    return this.isAbout(recordId) === this.#areElsewhereFine
  }
}

/** A refusal without what differs from row to row: ids, figures and addresses. */
function wordsOf({ status, answer, message }: HubspotError, recordId: string): string {
  const words = message.replaceAll(recordId, '*').replace(/\S*[\d@]\S*/g, '*')
  return `${status} ${answer.category} ${answer.subCategory} ${words}`
}

const kept = new WeakMap<CrmAccess, Map<string, LoneRefusals>>()

/** The refusals of one sort of write in a session, over all of its calls. */
export function refusalsOf(access: CrmAccess, sort: string): LoneRefusals {
  const ofSession = kept.get(access) ?? new Map<string, LoneRefusals>()
  kept.set(access, ofSession)
  const refusals = ofSession.get(sort) ?? new LoneRefusals()
  ofSession.set(sort, refusals)
  return refusals
}
