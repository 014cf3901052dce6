import { flagAt, type HubspotJson, numberAt, textAt, textsAt } from './body.ts'

/**
 * How a portal answers what no document of HubSpot settles. Each can be switched, so that a client can be tried with
 * every answer that is possible.
 */
export type OpenAnswers = {
  /** What an archived record does with a unique value that an upsert names. */
  readonly archivedValue: 'frees' | 'revives' | 'refuses'
  /** Whether a batch with one bad row writes nothing, or the other rows. */
  readonly failingBatch: 'whole' | 'part'
  /** The most values of a filter IN; null for no limit of its own. */
  readonly filterValues: number | null
  /** The most characters of the body of a search; null if something else is counted. */
  readonly searchLength: number | null
  /** The most records of a batch read that asks for the history. */
  readonly historyBatch: number
  /** Whether a batch read finds a contact by an additional address. */
  readonly findsAdditionalAddresses: boolean
  /** Whether a batch associates by the id of a record that was merged away. */
  readonly tiesMergedIds: boolean
  /** Fields of a new custom object that are required besides those that the guide's example has. */
  readonly requiredSchemaFields: readonly string[]
  /** Whether exchange rates are numbers with ISO instants, or texts with milliseconds. */
  readonly exchangeRates: 'numbers' | 'texts'
  /** Whether the ids of associated records are texts, as in the specification, or numbers, as in the guide. */
  readonly associatedIds: 'texts' | 'numbers'
  /** Whether a batch read reports records without associations, or only leaves them out. */
  readonly reportsUnassociated: boolean
  /** What a count of associations is for a company without any. */
  readonly countOfNone: null | '' | '0'
}

const usual: OpenAnswers = {
  archivedValue: 'frees',
  failingBatch: 'whole',
  filterValues: null,
  searchLength: 3_000,
  historyBatch: 100,
  findsAdditionalAddresses: false,
  tiesMergedIds: false,
  requiredSchemaFields: [],
  exchangeRates: 'numbers',
  associatedIds: 'texts',
  reportsUnassociated: true,
  countOfNone: null,
}

/** The answers of a portal; those that nobody has switched are the usual ones. */
export function openAnswersOf(portal: { readonly openAnswers?: OpenAnswers }): OpenAnswers {
  return portal.openAnswers ?? usual
}

/** The answers after a change; those that it does not name stay. */
export function readOpenAnswers(standing: OpenAnswers, given: HubspotJson): OpenAnswers {
  const archived = textAt(given, 'archivedValue')
  const failing = textAt(given, 'failingBatch')
  const rates = textAt(given, 'exchangeRates')
  const ids = textAt(given, 'associatedIds')
  return {
    archivedValue:
      archived === 'frees' || archived === 'revives' || archived === 'refuses'
        ? archived
        : standing.archivedValue,
    failingBatch: failing === 'whole' || failing === 'part' ? failing : standing.failingBatch,
    filterValues: 'filterValues' in given ? numberAt(given, 'filterValues') : standing.filterValues,
    searchLength: 'searchLength' in given ? numberAt(given, 'searchLength') : standing.searchLength,
    historyBatch: numberAt(given, 'historyBatch') ?? standing.historyBatch,
    findsAdditionalAddresses: flagAt(given, 'findsAdditionalAddresses') ?? standing.findsAdditionalAddresses,
    tiesMergedIds: flagAt(given, 'tiesMergedIds') ?? standing.tiesMergedIds,
    requiredSchemaFields: textsAt(given, 'requiredSchemaFields') ?? standing.requiredSchemaFields,
    associatedIds: ids === 'texts' || ids === 'numbers' ? ids : standing.associatedIds,
    reportsUnassociated: flagAt(given, 'reportsUnassociated') ?? standing.reportsUnassociated,
    countOfNone: readCountOfNone(standing, given),
    exchangeRates: rates === 'numbers' || rates === 'texts' ? rates : standing.exchangeRates,
  }
}

function readCountOfNone(standing: OpenAnswers, given: HubspotJson): OpenAnswers['countOfNone'] {
  const value = given['countOfNone']
  return value === null || value === '' || value === '0' ? value : standing.countOfNone
}
