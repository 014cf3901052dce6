/** A property of one of our objects as HubSpot is told of it. */
export type PropertySpelling = {
  name: string
  label: string
  /** What people read beside the field. */
  description: string
  type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration'
  isLong?: boolean
  isUnique?: boolean
  options?: readonly { value: string; label: string }[]
}

/** An object of ours: how each of our fields is called there, and what shows up where. */
export type ObjectSpelling = {
  name: string
  singular: string
  plural: string
  description: string
  /** Our field that is the record's key for ever. */
  key: string
  primaryDisplay: string
  secondaryDisplay: readonly string[]
  searchable: readonly string[]
  fields: Readonly<Record<string, PropertySpelling>>
}

const fieldTypes = {
  string: 'text',
  number: 'number',
  date: 'date',
  datetime: 'date',
  enumeration: 'select',
} as const

const managed = 'Kept up to date by Tributary; what is typed here is overwritten.'

/** The definition that HubSpot is sent. */
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

/** HubSpot's most characters of a text. */
const textMax = 65_536
/** A single-line text beyond this is of no use to anybody. */
const lineMax = 1_000

/** A value as HubSpot wants it: texts within its bounds and without characters it cannot keep. '' clears. */
export function spelledValue(property: PropertySpelling, value: string): string {
  if (property.type !== 'string') return value
  const clean = value.toWellFormed().replaceAll('\u0000', '')
  return clean.slice(0, property.isLong ? textMax : lineMax).toWellFormed()
}
