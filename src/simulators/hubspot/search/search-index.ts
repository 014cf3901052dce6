import type { HubspotRecord } from '../entities.ts'

type Properties = HubspotRecord['properties']
type Version = { readonly visibleFrom: number; readonly properties: Properties }

const changesPerSweep = 5_000

/** Remembers what search still shows of a record that was written during the lag. */
export class SearchIndex {
  readonly #lagMs: () => number
  readonly #clock: () => number
  readonly #versions = new Map<string, Version[]>()
  #changes = 0

  constructor(clock: () => number, lagMs: () => number) {
    this.#clock = clock
    this.#lagMs = lagMs
  }

  change(before: HubspotRecord | undefined, after: HubspotRecord | undefined): void {
    if (after === undefined || before?.properties === after.properties) return
    const now = this.#clock()
    const visibleFrom = after.updatedAt + this.#lagMs()
    if (visibleFrom <= now) return
    const key = keyOf(after)
    const first: Version[] = before ? [{ visibleFrom: 0, properties: before.properties }] : []
    const kept = withoutOutdated(this.#versions.get(key) ?? first, now)
    this.#versions.set(key, [...kept, { visibleFrom, properties: after.properties }])
    this.#sweepSometimes(now)
  }

  /** The properties of a record that search knows now; undefined if it does not know the record yet. */
  find(record: HubspotRecord): Properties | undefined {
    const versions = this.#versions.get(keyOf(record))
    if (versions === undefined) return record.properties
    const now = this.#clock()
    return versions.findLast((version) => version.visibleFrom <= now)?.properties
  }

  #sweepSometimes(now: number): void {
    this.#changes += 1
    if (this.#changes % changesPerSweep !== 0) return
    for (const [key, versions] of this.#versions) {
      if (versions.every((version) => version.visibleFrom <= now)) this.#versions.delete(key)
    }
  }
}

function keyOf(record: HubspotRecord): string {
  return `${record.hubId}/${record.typeId}/${record.id}`
}

function withoutOutdated(versions: readonly Version[], now: number): readonly Version[] {
  const shown = versions.findLastIndex((version) => version.visibleFrom <= now)
  return versions.slice(Math.max(shown, 0))
}
