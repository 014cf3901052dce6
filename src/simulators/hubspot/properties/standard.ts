import {
  companyTypeId,
  contactTypeId,
  dealTypeId,
  type Property,
  type PropertyOption,
  type PropertyType,
} from '../entities.ts'
import type { World } from '../world.ts'

type Draft = {
  name: string
  label: string
  type?: PropertyType
  fieldType?: string
  readOnly?: true
  calculated?: true
  unique?: true
}

const lifecycleStages = [
  ['subscriber', 'Subscriber'],
  ['lead', 'Lead'],
  ['marketingqualifiedlead', 'Marketing Qualified Lead'],
  ['salesqualifiedlead', 'Sales Qualified Lead'],
  ['opportunity', 'Opportunity'],
  ['customer', 'Customer'],
  ['evangelist', 'Evangelist'],
  ['other', 'Other'],
] as const

/** Life-cycle stages in the order in which a record may advance. */
export const lifecycleOrder: readonly string[] = lifecycleStages.map(([value]) => value)

const lifecycleOptions: readonly PropertyOption[] = lifecycleStages.map(([value, label], displayOrder) => ({
  label,
  value,
  displayOrder,
  hidden: false,
  description: '',
}))

const shared: readonly Draft[] = [
  { name: 'hs_object_id', label: 'Record ID', type: 'number', readOnly: true },
  { name: 'hs_merged_object_ids', label: 'Merged record IDs', type: 'enumeration', readOnly: true },
]

const contactProperties: readonly Draft[] = [
  ...shared,
  { name: 'email', label: 'Email', unique: true },
  { name: 'hs_additional_emails', label: 'Additional email addresses', type: 'enumeration' },
  { name: 'firstname', label: 'First Name' },
  { name: 'lastname', label: 'Last Name' },
  { name: 'phone', label: 'Phone Number' },
  { name: 'company', label: 'Company Name' },
  { name: 'website', label: 'Website URL' },
  { name: 'jobtitle', label: 'Job Title' },
  { name: 'lifecyclestage', label: 'Lifecycle Stage', type: 'enumeration', fieldType: 'radio' },
  { name: 'createdate', label: 'Create Date', type: 'datetime', readOnly: true },
  { name: 'lastmodifieddate', label: 'Last Modified Date', type: 'datetime', readOnly: true },
]

const calculatedNumber = { type: 'number', readOnly: true, calculated: true } as const

const companyProperties: readonly Draft[] = [
  ...shared,
  { name: 'name', label: 'Company name' },
  { name: 'domain', label: 'Company Domain Name' },
  { name: 'hs_additional_domains', label: 'Additional Domains', type: 'enumeration' },
  { name: 'description', label: 'Description', fieldType: 'textarea' },
  { name: 'website', label: 'Website URL' },
  { name: 'phone', label: 'Phone Number' },
  { name: 'city', label: 'City' },
  { name: 'country', label: 'Country/Region' },
  { name: 'numberofemployees', label: 'Number of Employees', type: 'number' },
  { name: 'annualrevenue', label: 'Annual Revenue', type: 'number' },
  { name: 'lifecyclestage', label: 'Lifecycle Stage', type: 'enumeration', fieldType: 'radio' },
  { name: 'createdate', label: 'Create Date', type: 'datetime', readOnly: true },
  { name: 'hs_lastmodifieddate', label: 'Last Modified Date', type: 'datetime', readOnly: true },
  { name: 'num_associated_contacts', label: 'Number of Associated Contacts', ...calculatedNumber },
  { name: 'num_associated_deals', label: 'Number of Associated Deals', ...calculatedNumber },
  { name: 'notes_last_updated', label: 'Last Activity Date', type: 'datetime', readOnly: true },
]

const dealProperties: readonly Draft[] = [
  ...shared,
  { name: 'dealname', label: 'Deal Name' },
  { name: 'amount', label: 'Amount', type: 'number' },
  { name: 'createdate', label: 'Create Date', type: 'datetime', readOnly: true },
  { name: 'hs_lastmodifieddate', label: 'Last Modified Date', type: 'datetime', readOnly: true },
]

const customProperties: readonly Draft[] = [
  ...shared,
  { name: 'hs_createdate', label: 'Object create date/time', type: 'datetime', readOnly: true },
  { name: 'hs_lastmodifieddate', label: 'Object last modified date/time', type: 'datetime', readOnly: true },
]

const standardOf: Readonly<Record<string, readonly Draft[]>> = {
  [contactTypeId]: contactProperties,
  [companyTypeId]: companyProperties,
  [dealTypeId]: dealProperties,
}

const fieldTypes: Readonly<Record<PropertyType, string>> = {
  string: 'text',
  number: 'number',
  date: 'date',
  datetime: 'date',
  enumeration: 'checkbox',
  bool: 'booleancheckbox',
}

/** The names of the two instants that HubSpot keeps for records of a type. */
export function instantProperties(typeId: string): { created: string; modified: string } {
  if (typeId === contactTypeId) return { created: 'createdate', modified: 'lastmodifieddate' }
  if (typeId === companyTypeId || typeId === dealTypeId)
    return { created: 'createdate', modified: 'hs_lastmodifieddate' }
  return { created: 'hs_createdate', modified: 'hs_lastmodifieddate' }
}

/** Gives an object type the properties that HubSpot defines itself. */
export function defineStandardProperties(
  world: World,
  hubId: number,
  typeId: string,
  groupName: string,
): void {
  for (const draft of standardOf[typeId] ?? customProperties) {
    world.properties.put(
      `${hubId}/${typeId}/${draft.name}`,
      standardProperty(world, hubId, typeId, groupName, draft),
    )
  }
}

function standardProperty(
  world: World,
  hubId: number,
  typeId: string,
  groupName: string,
  draft: Draft,
): Property {
  const type = draft.type ?? 'string'
  return {
    hubId,
    typeId,
    name: draft.name,
    label: draft.label,
    type,
    fieldType: draft.fieldType ?? fieldTypes[type],
    groupName,
    description: '',
    options: draft.name === 'lifecyclestage' ? lifecycleOptions : [],
    displayOrder: -1,
    hidden: false,
    formField: false,
    hasUniqueValue: draft.unique === true,
    numberDisplayHint: null,
    showCurrencySymbol: false,
    currencyPropertyName: null,
    hubspotDefined: true,
    readOnlyValue: draft.readOnly === true,
    calculated: draft.calculated === true,
    archived: false,
    createdAt: world.now(),
    updatedAt: world.now(),
  }
}
