import { AssociationIndex } from './associations/association-index.ts'
import type {
  AccessToken,
  AppFile,
  Association,
  AssociationType,
  AuthorizationCode,
  HubspotRecord,
  Portal,
  Property,
  PropertyGroup,
  RefreshToken,
  Schema,
  ServiceKey,
} from './entities.ts'
import { Journal } from './journal.ts'
import type { SimulatorSettings } from './options.ts'
import { RecordIndex } from './records/record-index.ts'
import { SearchIndex } from './search/search-index.ts'
import { Table } from './table.ts'

/** All data of the simulated HubSpot. Changes enter the journal at `commit`. */
export class World {
  readonly settings: SimulatorSettings
  /** How late HubSpot shows its own changes; can be changed at run time, and a restart resets it. */
  lags: Pick<SimulatorSettings, 'searchLagMs' | 'schemaSettleMs' | 'associationLagMs'>
  readonly recordIndex = new RecordIndex((record, name) => this.isUnique(record.hubId, record.typeId, name))
  readonly associationIndex = new AssociationIndex()
  readonly searchIndex: SearchIndex
  readonly portals: Table<Portal>
  readonly counters: Table<number>
  readonly schemas: Table<Schema>
  readonly groups: Table<PropertyGroup>
  readonly properties: Table<Property>
  readonly associationTypes: Table<AssociationType>
  readonly records: Table<HubspotRecord>
  readonly associations: Table<Association>
  readonly codes: Table<AuthorizationCode>
  readonly refreshTokens: Table<RefreshToken>
  readonly accessTokens: Table<AccessToken>
  readonly serviceKeys: Table<ServiceKey>
  /** One row, `app`, once the app's file is known. */
  readonly appFiles: Table<AppFile>
  readonly #journal: Journal
  #past: number | undefined

  constructor(settings: SimulatorSettings, journalPath: string | undefined) {
    this.settings = settings
    const { searchLagMs, schemaSettleMs, associationLagMs } = settings
    this.lags = { searchLagMs, schemaSettleMs, associationLagMs }
    this.searchIndex = new SearchIndex(
      () => this.now(),
      () => this.lags.searchLagMs,
    )
    const journal = new Journal(journalPath)
    const note = journal.note.bind(journal)
    this.#journal = journal
    this.portals = new Table('portals', note)
    this.counters = new Table('counters', note)
    this.schemas = new Table('schemas', note)
    this.groups = new Table('groups', note)
    this.properties = new Table('properties', note)
    this.associationTypes = new Table('associationTypes', note)
    this.records = new Table('records', note, (before, after) => {
      this.recordIndex.change(before, after)
      this.searchIndex.change(before, after)
    })
    this.associations = new Table('associations', note, (before, after) =>
      this.associationIndex.change(before, after),
    )
    this.codes = new Table('codes', note)
    this.refreshTokens = new Table('refreshTokens', note)
    this.accessTokens = new Table('accessTokens', note)
    this.serviceKeys = new Table('serviceKeys', note)
    this.appFiles = new Table('appFiles', note)
    // Definitions come before records: the record index must know the unique properties.
    const definitions = [this.portals, this.counters, this.schemas, this.groups, this.properties]
    const rows = [this.associationTypes, this.records, this.associations]
    const grants = [this.codes, this.refreshTokens, this.accessTokens, this.serviceKeys, this.appFiles]
    journal.open([...definitions, ...rows, ...grants])
  }

  now(): number {
    return this.#past ?? this.settings.clock()
  }

  /** Does work that HubSpot did by itself at a past instant. */
  doAt<Result>(at: number, work: () => Result): Result {
    this.#past = at
    try {
      return work()
    } finally {
      this.#past = undefined
    }
  }

  /** The next number of a sequence that continues after a restart; the first is 1. */
  nextNumber(sequence: string): number {
    const number = (this.counters.get(sequence) ?? 0) + 1
    this.counters.put(sequence, number)
    return number
  }

  isUnique(hubId: number, typeId: string, property: string): boolean {
    return this.properties.get(`${hubId}/${typeId}/${property}`)?.hasUniqueValue === true
  }

  /** Writes the changes of this request to the journal. */
  commit(): void {
    this.#journal.commit()
  }
}
