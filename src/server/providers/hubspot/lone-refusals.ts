import type { CrmAccess } from '../crm-directory.ts'
import type { HubspotError } from './hubspot-error.ts'

/** After this many equal refusals, the rows themselves are not the cause. */
const handful = 5
/** After this many equal refusals, rows from other parts are tried before their neighbours. */
const suspicious = 2

/** Consecutive refusals of single rows with the same message and no successful write in between. */
export class LoneRefusals {
  #words = ''
  #count = 0
  /** Whether other rows were written while one record was refused repeatedly. */
  #areElsewhereFine = false
  readonly #records = new Set<string>()

  /** Whether the refusal has the same message as the ones before. */
  add(refusal: HubspotError, recordId: string): boolean {
    const words = wordsOf(refusal, recordId)
    const isAlike = words === this.#words
    if (!isAlike) this.clear()
    this.#words = words
    this.#count += 1
    this.#records.add(recordId)
    return isAlike
  }

  /** Records a successful write. Returns whether it ends the series of refusals. */
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

  /** Refusals that all concern one record may be caused by that record, which may be full. */
  get areOfOneRecord(): boolean {
    return this.#records.size === 1
  }

  isAbout(recordId: string): boolean {
    return this.#records.has(recordId)
  }

  /** Whether a try with this record gives new information: another record, until others are known to succeed. */
  isTelling(recordId: string): boolean {
    return this.isAbout(recordId) === this.#areElsewhereFine
  }
}

/** The message of a refusal without the parts that differ between rows: ids, figures and addresses. */
function wordsOf({ status, answer, message }: HubspotError, recordId: string): string {
  const words = message.replaceAll(recordId, '*').replace(/\S*[\d@]\S*/g, '*')
  return `${status} ${answer.category} ${answer.subCategory} ${words}`
}

const kept = new WeakMap<CrmAccess, Map<string, LoneRefusals>>()

/** The refusals of one kind of write in a session, over all of its calls. */
export function refusalsOf(access: CrmAccess, sort: string): LoneRefusals {
  const ofSession = kept.get(access) ?? new Map<string, LoneRefusals>()
  kept.set(access, ofSession)
  const refusals = ofSession.get(sort) ?? new LoneRefusals()
  ofSession.set(sort, refusals)
  return refusals
}
