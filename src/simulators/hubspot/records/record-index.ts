import { contactTypeId, type HubspotRecord } from '../entities.ts'

/** Whether reads and searches may show the record. */
export function isLive(record: HubspotRecord): boolean {
  return record.archivedAt === null && record.mergedInto === null
}

/** The key that equal values of a unique property share; all e-mail addresses share one space. */
export function uniqueKey(
  record: { hubId: number; typeId: string },
  property: string,
  value: string,
): string {
  return `${record.hubId}/${record.typeId}/${property}/${property === 'email' ? value.toLowerCase() : value}`
}

/** The unique values of a record; additional addresses of a contact are as unique as the first. */
export function uniqueKeys(record: HubspotRecord, isUnique: (property: string) => boolean): string[] {
  const keys: string[] = []
  for (const [name, value] of Object.entries(record.properties)) {
    if (isUnique(name)) keys.push(uniqueKey(record, name, value))
  }
  if (record.typeId !== contactTypeId) return keys
  const additional = record.properties['hs_additional_emails'] ?? ''
  for (const email of additional.split(';')) {
    if (email !== '') keys.push(uniqueKey(record, 'email', email))
  }
  return keys
}

/** Finds records by collection and by unique value. An archived record releases its unique values. */
export class RecordIndex {
  readonly #ids = new Map<string, string[]>()
  readonly #holders = new Map<string, string>()
  readonly #isUnique: (record: HubspotRecord, property: string) => boolean

  constructor(isUnique: (record: HubspotRecord, property: string) => boolean) {
    this.#isUnique = isUnique
  }

  change(before: HubspotRecord | undefined, after: HubspotRecord | undefined): void {
    if (before !== undefined && isLive(before)) {
      for (const key of uniqueKeys(before, (name) => this.#isUnique(before, name))) {
        if (this.#holders.get(key) === before.id) this.#holders.delete(key)
      }
    }
    if (after === undefined) return
    if (before === undefined) this.#idsOf(after).push(after.id)
    if (!isLive(after)) return
    for (const key of uniqueKeys(after, (name) => this.#isUnique(after, name)))
      this.#holders.set(key, after.id)
  }

  /** The id of the live record with a unique value. */
  holderOf(key: string): string | undefined {
    return this.#holders.get(key)
  }

  /** All ids of a collection in ascending order, archived ones included, after `after`. */
  *idsAfter(hubId: number, typeId: string, after: string | undefined): Generator<string> {
    const ids = this.#ids.get(`${hubId}/${typeId}`) ?? []
    for (let at = after === undefined ? 0 : firstAfter(ids, after); at < ids.length; at++) {
      const id = ids[at]
      if (id !== undefined) yield id
    }
  }

  #idsOf(record: HubspotRecord): string[] {
    const key = `${record.hubId}/${record.typeId}`
    const ids = this.#ids.get(key)
    if (ids !== undefined) return ids
    const made: string[] = []
    this.#ids.set(key, made)
    return made
  }
}

/** The position of the first id greater than `after`. New ids are always greater, so the list is sorted. */
function firstAfter(ids: readonly string[], after: string): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(ids[middle]) <= Number(after)) low = middle + 1
    else high = middle
  }
  return low
}
