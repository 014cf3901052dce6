import type { HubspotJson } from '../body.ts'
import { companyTypeId, contactTypeId, type Portal } from '../entities.ts'
import { HubspotError, invalidInput } from '../errors.ts'
import type { ObjectType } from '../object-types.ts'
import { findProperty } from '../properties/define.ts'
import { lifecycleOrder } from '../properties/standard.ts'
import { checkValue } from '../properties/values.ts'
import type { World } from '../world.ts'

/** The world, portal and type of a write. */
export type WritePlace = { readonly world: World; readonly portal: Portal; readonly type: ObjectType }

type Properties = Readonly<Record<string, string>>
type NamedProblem = { readonly name: string; readonly error: string; readonly message: string }

/** A name with this text is refused, so that a person can make a row fail. */
const refusedName = 'Refused by HubSpot'

/** Checks the posted values and returns the record's properties after the write. Throws one 400 for all bad values. */
export function checkedProperties(
  place: WritePlace,
  current: Properties,
  given: HubspotJson,
): Record<string, string> {
  const next: Record<string, string> = { ...current }
  const problems: NamedProblem[] = []
  for (const [name, raw] of Object.entries(given)) {
    const problem = setValue(place, next, name, raw)
    if (problem !== undefined) problems.push({ name, ...problem })
  }
  if (problems.length > 0) throw invalidProperties(place, problems)
  refuseByName(place, next)
  return next
}

function setValue(place: WritePlace, next: Record<string, string>, name: string, raw: unknown) {
  const property = findProperty(place.world, place.portal.hubId, place.type.typeId, name)
  if (property === undefined)
    return { error: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` }
  if (property.readOnlyValue) {
    return {
      error: 'READ_ONLY_VALUE',
      message: `"${name}" is a read only property; its value cannot be set.`,
    }
  }
  const checked = checkValue(property, raw, next[name] ?? '', place.portal.emailHosts)
  if (!('value' in checked)) return checked
  if (name === 'lifecyclestage' && isBackward(next[name], checked.value)) return undefined
  if (checked.value === '') delete next[name]
  else next[name] = checked.value
  return undefined
}

function isBackward(from: string | undefined, to: string): boolean {
  return from !== undefined && to !== '' && lifecycleOrder.indexOf(to) < lifecycleOrder.indexOf(from)
}

/** Refuses a new record that lacks what HubSpot, the schema or the portal's admin requires. */
export function checkRequired(place: WritePlace, properties: Properties): void {
  const { type, portal } = place
  const oneOf =
    type.typeId === contactTypeId
      ? ['email', 'firstname', 'lastname']
      : type.typeId === companyTypeId
        ? ['name', 'domain']
        : []
  if (oneOf.length > 0 && oneOf.every((name) => properties[name] === undefined)) {
    throw invalidInput(
      `Error creating ${type.noun}. At least one of these properties must be set: ${oneOf.join(', ')}`,
    )
  }
  const required = [...(type.schema?.requiredProperties ?? []), ...(portal.adminRequired[type.typeId] ?? [])]
  const missing = required.filter((name) => properties[name] === undefined)
  if (missing.length > 0) {
    throw invalidInput(`Error creating ${type.noun}. Some required properties were not set.`, {
      context: { properties: missing },
      errors: missing.map((name) => ({
        message: `${name} is required`,
        code: 'REQUIRED_PROPERTY_MISSING',
        context: { propertyName: [name] },
      })),
    })
  }
}

function refuseByName(place: WritePlace, properties: Properties): void {
  const display = place.type.schema?.primaryDisplayProperty
  const name = [display ?? 'name', 'firstname', 'lastname'].find((one) =>
    properties[one]?.includes(refusedName),
  )
  if (name === undefined) return
  const problems = [
    { name, error: 'PROPERTY_VALIDATION_RULE', message: `${name} breaks a rule of this account` },
  ]
  const { status, body } = invalidProperties(place, problems)
  throw new HubspotError(status, body, 'refused_by_name')
}

function invalidProperties(place: WritePlace, problems: readonly NamedProblem[]): HubspotError {
  const details = problems.map(({ name, error, message }) => ({
    isValid: false,
    message,
    error,
    name,
    localizedErrorMessage: message,
    portalId: place.portal.hubId,
  }))
  return invalidInput(`Property values were not valid: ${JSON.stringify(details)}`, {
    errors: problems.map(({ name, error, message }) => ({
      message,
      code: error,
      context: { propertyName: [name] },
    })),
  })
}
