import { getTextAt, type HubspotJson, objectsAt, textAt, textsAt } from '../body.ts'
import type { Property } from '../entities.ts'
import { invalidInput } from '../errors.ts'

const groupLimit = 5
const filtersPerGroup = 6
const filterLimit = 18

export type Properties = Readonly<Record<string, string>>
type Predicate = (properties: Properties) => boolean

/** Reads `filterGroups` (any group matches if all its filters do) into one predicate. Limits: search guide. */
export function readFilters(
  body: HubspotJson,
  findProperty: (name: string) => Property | undefined,
  valuesMax: number | null,
): Predicate {
  const groups = objectsAt(body, 'filterGroups').map((group) => objectsAt(group, 'filters'))
  if (groups.length > groupLimit) throw invalidInput(`At most ${groupLimit} filter groups are allowed`)
  if (groups.some((filters) => filters.length > filtersPerGroup)) {
    throw invalidInput(`At most ${filtersPerGroup} filters are allowed in a group`)
  }
  if (groups.flat().length > filterLimit) throw invalidInput(`At most ${filterLimit} filters are allowed`)
  const lists = groups.flat().map((filter) => textsAt(filter, 'values')?.length ?? 0)
  if (valuesMax !== null && lists.some((length) => length > valuesMax)) {
    throw invalidInput(`At most ${valuesMax} values are allowed in a filter`)
  }
  const predicates = groups.map((filters) => filters.map((filter) => readFilter(filter, findProperty)))
  if (predicates.length === 0) return () => true
  return (properties) => predicates.some((all) => all.every((matches) => matches(properties)))
}

function readFilter(filter: HubspotJson, findProperty: (name: string) => Property | undefined): Predicate {
  const name = getTextAt(filter, 'propertyName')
  const operator = getTextAt(filter, 'operator')
  const property = findProperty(name)
  if (property === undefined)
    throw invalidInput(`There was a problem with the request: unknown property ${name}`)
  const compares = readComparison(filter, operator, property)
  if (operator === 'HAS_PROPERTY') return (properties) => properties[name] !== undefined
  if (operator === 'NOT_HAS_PROPERTY') return (properties) => properties[name] === undefined
  return (properties) => compares(properties[name])
}

function readComparison(filter: HubspotJson, operator: string, property: Property) {
  const value = comparable(property, textAt(filter, 'value') ?? '')
  switch (operator) {
    case 'HAS_PROPERTY':
    case 'NOT_HAS_PROPERTY':
      return () => true
    case 'EQ':
      return (held: string | undefined) => held !== undefined && comparable(property, held) === value
    case 'NEQ':
      return (held: string | undefined) => held === undefined || comparable(property, held) !== value
    case 'IN':
    case 'NOT_IN': {
      const values = new Set(textsAt(filter, 'values'))
      if (values.size === 0) throw invalidInput(`Operator ${operator} requires values`)
      const isIn = (held: string) => values.has(indexedText(property, held))
      return (held: string | undefined) => held !== undefined && isIn(held) === (operator === 'IN')
    }
    case 'GT':
    case 'GTE':
    case 'LT':
    case 'LTE':
      return (held: string | undefined) =>
        held !== undefined && isOrdered(operator, comparable(property, held), value)
    case 'CONTAINS_TOKEN': {
      const wanted = tokens(textAt(filter, 'value') ?? '')
      return (held: string | undefined) => held !== undefined && hasTokens(tokens(held), wanted)
    }
    default:
      throw invalidInput(`Unknown or unsupported operator: ${operator}`)
  }
}

function isOrdered(
  operator: 'GT' | 'GTE' | 'LT' | 'LTE',
  held: string | number,
  value: string | number,
): boolean {
  if (held === value) return operator === 'GTE' || operator === 'LTE'
  return operator.startsWith('G') ? held > value : held < value
}

/** Text is indexed in lower case, so IN finds text only by lower-case values; enumerations keep their case. */
function indexedText(property: Property, held: string): string {
  return property.type === 'string' ? held.toLowerCase() : held
}

function comparable(property: Property, text: string): string | number {
  if (property.type === 'number') return Number(text)
  if (property.type === 'date' || property.type === 'datetime') {
    return /^-?\d+$/.test(text) ? Number(text) : Date.parse(text)
  }
  return indexedText(property, text)
}

/** Text split at dots and other signs, as in HubSpot's token search. The wildcard `*` stays. */
function tokens(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}*]+/u)
  return words.filter((token) => token !== '')
}

function hasTokens(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((token) => {
    const core = token.replaceAll('*', '')
    if (core === '') return held.length > 0
    return held.some((one) => {
      if (token.startsWith('*') && token.endsWith('*')) return one.includes(core)
      if (token.endsWith('*')) return one.startsWith(core)
      return token.startsWith('*') ? one.endsWith(core) : one === core
    })
  })
}
