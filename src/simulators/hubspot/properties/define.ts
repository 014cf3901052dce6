import { flagAt, getTextAt, type HubspotJson, objectsAt, textAt } from '../body.ts'
import type { Property, PropertyOption, PropertyType } from '../entities.ts'
import { HubspotError, invalidInput } from '../errors.ts'
import type { World } from '../world.ts'

/** HubSpot's limit of unique properties for one object type. */
const uniquePropertyLimit = 10
const nameLimit = 100

const fieldTypes: Readonly<Record<PropertyType, readonly string[]>> = {
  string: ['text', 'textarea', 'phonenumber', 'html', 'file'],
  number: ['number'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['select', 'radio', 'checkbox', 'booleancheckbox'],
  bool: ['booleancheckbox', 'select', 'radio'],
}

function isPropertyType(text: string): text is PropertyType {
  return Object.hasOwn(fieldTypes, text)
}

/** Properties of an object type: the live ones, or only the archived ones. */
export function listProperties(world: World, hubId: number, typeId: string, isArchived = false): Property[] {
  const ofType = [...world.properties.values()].filter((p) => p.hubId === hubId && p.typeId === typeId)
  return ofType.filter((property) => property.archived === isArchived)
}

export function findProperty(
  world: World,
  hubId: number,
  typeId: string,
  name: string,
): Property | undefined {
  const property = world.properties.get(`${hubId}/${typeId}/${name}`)
  return property === undefined || property.archived ? undefined : property
}

/**
 * Reads a posted definition. Throws HubSpot's 400 for a bad name, type, field type or option list.
 * Sources: properties guide; the rule for bool options was seen live.
 */
export function readDefinition(
  world: World,
  hubId: number,
  typeId: string,
  body: HubspotJson,
  group?: string,
): Property {
  const name = getTextAt(body, 'name')
  if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > nameLimit || name.startsWith('hs_')) {
    throw invalidInput(`Property name "${name}" is invalid. Use lower-case letters, digits and underscores.`)
  }
  const type = getTextAt(body, 'type')
  const fieldType = getTextAt(body, 'fieldType')
  if (!isPropertyType(type)) throw invalidInput(`Invalid property type: ${type}`)
  if (!fieldTypes[type].includes(fieldType))
    throw invalidInput(`Invalid field type ${fieldType} for type ${type}`)
  const groupName = textAt(body, 'groupName') ?? group ?? getTextAt(body, 'groupName')
  if (world.groups.get(`${hubId}/${typeId}/${groupName}`) === undefined) {
    throw invalidInput(`Property group ${groupName} does not exist`)
  }
  return {
    hubId,
    typeId,
    name,
    label: getTextAt(body, 'label'),
    type,
    fieldType,
    groupName,
    description: textAt(body, 'description') ?? '',
    options: checkedOptions(type, name, readOptions(body)),
    displayOrder: Number(textAt(body, 'displayOrder') ?? -1),
    hidden: flagAt(body, 'hidden') ?? false,
    formField: flagAt(body, 'formField') ?? false,
    hasUniqueValue: flagAt(body, 'hasUniqueValue') ?? false,
    numberDisplayHint: textAt(body, 'numberDisplayHint') ?? null,
    ...readMoney(name, body),
    hubspotDefined: false,
    readOnlyValue: false,
    archived: false,
    createdAt: world.now(),
    updatedAt: world.now(),
  }
}

/** Adds a property; an archived one of the same name returns with the posted definition. */
export function defineProperty(world: World, property: Property): void {
  const { hubId, typeId, name } = property
  if (findProperty(world, hubId, typeId, name) !== undefined) {
    throw new HubspotError(409, {
      message: `A property named '${name}' already exists.`,
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
      context: { name: [name] },
    })
  }
  const uniqueCount = listProperties(world, hubId, typeId).filter(
    (p) => p.hasUniqueValue && !p.hubspotDefined,
  ).length
  if (property.hasUniqueValue && uniqueCount >= uniquePropertyLimit) {
    throw invalidInput(
      `Object type ${typeId} already has the maximum of ${uniquePropertyLimit} unique properties`,
    )
  }
  if (property.hasUniqueValue && property.type !== 'string' && property.type !== 'number') {
    throw invalidInput(`hasUniqueValue is not supported for properties of type ${property.type}`)
  }
  world.properties.put(`${hubId}/${typeId}/${name}`, property)
}

/** Applies a PATCH; it ignores `hasUniqueValue` and the name, and replaces all options. */
export function changeProperty(world: World, property: Property, body: HubspotJson): Property {
  const changed: Property = {
    ...property,
    label: textAt(body, 'label') ?? property.label,
    description: textAt(body, 'description') ?? property.description,
    groupName: textAt(body, 'groupName') ?? property.groupName,
    hidden: flagAt(body, 'hidden') ?? property.hidden,
    formField: flagAt(body, 'formField') ?? property.formField,
    numberDisplayHint: textAt(body, 'numberDisplayHint') ?? property.numberDisplayHint,
    ...readMoney(property.name, body, property),
    options:
      body['options'] === undefined
        ? property.options
        : checkedOptions(property.type, property.name, readOptions(body)),
    updatedAt: world.now(),
  }
  world.properties.put(`${property.hubId}/${property.typeId}/${property.name}`, changed)
  return changed
}

type Money = Pick<Property, 'showCurrencySymbol' | 'currencyPropertyName'>
const noMoney: Money = { showCurrencySymbol: false, currencyPropertyName: null }

/**
 * How a number is shown as money. The property with the currency is not validated and cannot be cleared, its symbol
 * cannot be switched off, and it is refused without the symbol beside it. Seen live.
 */
function readMoney(name: string, body: HubspotJson, standing: Money = noMoney): Money {
  const symbol = flagAt(body, 'showCurrencySymbol')
  const sent = textAt(body, 'currencyPropertyName') || null
  const currencyPropertyName = sent ?? standing.currencyPropertyName
  if (sent !== null && symbol !== true)
    throw invalidInput(`Property ${name}: currencyPropertyName requires showCurrencySymbol to be true`)
  if (currencyPropertyName && symbol === false)
    throw invalidInput(`Property ${name}: showCurrencySymbol cannot be false with a currencyPropertyName`)
  return { showCurrencySymbol: symbol ?? standing.showCurrencySymbol, currencyPropertyName }
}

function readOptions(body: HubspotJson): PropertyOption[] {
  return objectsAt(body, 'options').map((option) => ({
    label: getTextAt(option, 'label'),
    value: getTextAt(option, 'value'),
    displayOrder: Number(getTextAt(option, 'displayOrder')),
    hidden: flagAt(option, 'hidden') ?? false,
    description: textAt(option, 'description') ?? '',
  }))
}

function checkedOptions(type: PropertyType, name: string, options: PropertyOption[]): PropertyOption[] {
  const values = options.map((option) => option.value)
  if (new Set(values).size !== values.length)
    throw invalidInput(`Property ${name} has two options with the same value`)
  const isTrueFalse = values.length === 2 && values.includes('true') && values.includes('false')
  if (type === 'bool' && !isTrueFalse) {
    const message = `Property ${name} of type bool must have exactly the options true and false`
    throw invalidInput(message, { errors: [{ message, code: 'INVALID_BOOLEAN_OPTION' }] })
  }
  if (type === 'enumeration' && options.length === 0) throw invalidInput(`Property ${name} needs options`)
  return options
}
