/** A property of one of our objects in HubSpot's terms. */
export type PropertySpelling = {
  name: string
  label: string
  /** The description that people read beside the field. */
  description: string
  type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration'
  isLong?: boolean
  isUnique?: boolean
  options?: readonly { value: string; label: string }[]
  /** For an amount, the field of the same object that has its currency. */
  currency?: string
}

/** One of our objects: HubSpot's name for each field, and which fields it shows where. */
export type ObjectSpelling = {
  name: string
  singular: string
  plural: string
  description: string
  /** The field that is the record's key. It must never change. */
  key: string
  primaryDisplay: string
  secondaryDisplay: readonly string[]
  searchable: readonly string[]
  fields: Readonly<Record<string, PropertySpelling>>
  /** What records have besides, where the organization converts amounts. */
  converted: Readonly<Record<string, PropertySpelling>>
}

const fieldTypes = {
  string: 'text',
  number: 'number',
  date: 'date',
  datetime: 'date',
  enumeration: 'select',
} as const

/** The type of a property as HubSpot's settings call it. */
export function typeInWords({ type, isLong }: Pick<PropertySpelling, 'type' | 'isLong'>): string {
  if (isLong) return 'Multi-line text'
  return {
    string: 'Single-line text',
    number: 'Number',
    date: 'Date picker',
    datetime: 'Date and time picker',
    enumeration: 'Dropdown select',
  }[type]
}

const managed = 'Kept up to date by Tributary; what is typed here is overwritten.'

/** The definition that is sent to HubSpot. */
export function definitionOf(property: PropertySpelling) {
  return {
    name: property.name,
    label: property.label,
    description: `${property.description} ${managed}`,
    type: property.type,
    fieldType: property.isLong ? 'textarea' : fieldTypes[property.type],
    ...(property.isUnique && { hasUniqueValue: true }),
    ...(property.options && {
      options: property.options.map((option, displayOrder) => ({ ...option, displayOrder, hidden: false })),
    }),
  }
}

/** HubSpot's maximum of characters in a text. */
const textMax = 65_536
/** A longer text is useless in a single-line field. */
const lineMax = 1_000

/** The first half of a character of two units that was cut in the middle. */
const halfAtEnd = /[\ud800-\udbff]$/

/**
 * A value in HubSpot's form: texts are cut to the limit and lose characters that HubSpot cannot store. '' clears
 * the field.
 */
export function spelledValue(property: PropertySpelling, value: string): string {
  if (property.type !== 'string') return value
  const clean = value.toWellFormed().replaceAll('\u0000', '')
  return clean.slice(0, property.isLong ? textMax : lineMax).replace(halfAtEnd, '')
}
