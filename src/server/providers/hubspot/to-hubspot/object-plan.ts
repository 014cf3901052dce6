import { type CrmKind, type CrmTarget, crmKinds } from '#domain/crm-record.ts'
import type { CrmObjectPlan } from '../../crm.ts'
import { getSpelling, targetsOf } from './object-spelling.ts'
import { spellings } from './our-objects.ts'
import { type PropertySpelling, typeInWords } from './property.ts'

const targetWords: Record<CrmTarget, string> = {
  contact: 'Contacts',
  company: 'Companies',
  subscription: spellings.subscription.plural,
}

/** The instructions for making both objects by hand, from the same list as the request that makes them. */
export function planObjects(isConverted: boolean): CrmObjectPlan[] {
  return crmKinds.map((kind) => {
    const spelling = spellings[kind]
    const nameOf = (field: string) => getSpelling(kind, field).name
    return {
      name: spelling.name,
      singular: spelling.singular,
      plural: spelling.plural,
      primaryDisplay: nameOf(spelling.primaryDisplay),
      secondaryDisplay: spelling.secondaryDisplay.map(nameOf),
      searchable: spelling.searchable.map(nameOf),
      associations: targetsOf[kind].map(associationInWords),
      properties: propertiesOfPlan(kind, isConverted).map((property) => ({
        name: property.name,
        label: property.label,
        type: typeInWords(property),
        isUnique: property.isUnique === true,
        options: (property.options ?? []).map(({ label, value }) => ({ label, value })),
      })),
    }
  })
}

function propertiesOfPlan(kind: CrmKind, isConverted: boolean): PropertySpelling[] {
  const { fields, converted } = spellings[kind]
  return [...Object.values(fields), ...(isConverted ? Object.values(converted) : [])]
}

/** The other end of an association as HubSpot's pages call it. */
export function associationInWords(target: CrmTarget): string {
  return targetWords[target]
}
