import type { Property } from '../entities.ts'

/** A property definition as HubSpot answers it. */
export function propertyAnswer(property: Property) {
  return {
    name: property.name,
    label: property.label,
    type: property.type,
    fieldType: property.fieldType,
    description: property.description,
    groupName: property.groupName,
    options: property.options,
    displayOrder: property.displayOrder,
    calculated: property.calculated ?? false,
    externalOptions: false,
    hasUniqueValue: property.hasUniqueValue,
    hidden: property.hidden,
    formField: property.formField,
    ...(property.numberDisplayHint === null ? {} : { numberDisplayHint: property.numberDisplayHint }),
    ...(property.showCurrencySymbol ? { showCurrencySymbol: true } : {}),
    ...(property.currencyPropertyName === null
      ? {}
      : { currencyPropertyName: property.currencyPropertyName }),
    ...(property.hubspotDefined ? { hubspotDefined: true } : {}),
    modificationMetadata: {
      archivable: !property.hubspotDefined,
      readOnlyDefinition: property.hubspotDefined,
      readOnlyValue: property.readOnlyValue,
    },
    dataSensitivity: 'non_sensitive',
    archived: property.archived,
    createdAt: new Date(property.createdAt).toISOString(),
    updatedAt: new Date(property.updatedAt).toISOString(),
  }
}
