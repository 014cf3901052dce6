import type { CrmKind, CrmTarget, CrmValues } from '#domain/crm-record.ts'
import { companyTypeId, contactTypeId } from '../version.ts'
import { spellings } from './our-objects.ts'
import { definitionOf, type PropertySpelling, spelledValue } from './property.ts'

/** The targets that each object is associated with. */
export const targetsOf: Record<CrmKind, readonly CrmTarget[]> = {
  subscription: ['contact', 'company'],
  event: ['subscription', 'contact', 'company'],
}

/** HubSpot's name for one of our fields. A field without one is a bug. */
export function getSpelling(kind: CrmKind, field: string): PropertySpelling {
  const spelling = spellings[kind].fields[field] ?? spellings[kind].converted[field]
  if (spelling === undefined) throw new TypeError(`${kind} has no field ${field}`)
  return spelling
}

/** Our values under HubSpot's names. */
export function propertiesOf(kind: CrmKind, values: CrmValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const spelling = getSpelling(kind, field)
      return [spelling.name, spelledValue(spelling, value)]
    }),
  )
}

/** HubSpot's id of a type of record. The id of subscriptions differs by portal and must be known by then. */
export function targetTypeId(target: CrmTarget, subscriptionTypeId: string | null): string {
  if (target === 'company') return companyTypeId
  if (target === 'contact') return contactTypeId
  if (subscriptionTypeId === null) throw new TypeError('events need the subscription object first')
  return subscriptionTypeId
}

/**
 * The request body that creates an object with all its properties. HubSpot's description of 2026-09 requires the last two
 * fields as well, its guide does not show them.
 */
export function schemaOf(kind: CrmKind, subscriptionTypeId: string | null) {
  const spelling = spellings[kind]
  const nameOf = (field: string) => getSpelling(kind, field).name
  return {
    name: spelling.name,
    labels: { singular: spelling.singular, plural: spelling.plural },
    description: spelling.description,
    primaryDisplayProperty: nameOf(spelling.primaryDisplay),
    secondaryDisplayProperties: spelling.secondaryDisplay.map(nameOf),
    requiredProperties: [nameOf(spelling.key)],
    searchableProperties: spelling.searchable.map(nameOf),
    properties: Object.values(spelling.fields).map(definitionOf),
    associatedObjects: targetsOf[kind].map((target) => targetTypeId(target, subscriptionTypeId)),
    allowsSensitiveProperties: false,
    shouldCreateSameObjectAssociation: false,
  }
}
