import { contactTypeId, type Property } from '../entities.ts'
import { type HostSpelling, keptEmail } from './email.ts'

/** HubSpot's limit of characters in a text value. */
const textLimit = 65_536
const dayMs = 86_400_000

/** The reason for refusing a value, in the form of HubSpot's message. */
type ValueProblem = { readonly error: string; readonly message: string }
type CheckedValue = { readonly value: string } | ValueProblem

/**
 * Checks a value against its property and returns the stored text; an empty value clears. JSON numbers and booleans
 * become text.
 * Rules: HubSpot's properties guide.
 */
export function checkValue(
  property: Property,
  raw: unknown,
  current: string,
  emailHosts: HostSpelling,
): CheckedValue {
  if (raw === null || raw === '') return { value: '' }
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return { error: 'INVALID_VALUE', message: `${property.name} must be a string, number or boolean` }
  }
  const text = String(raw)
  switch (property.type) {
    case 'string':
      return checkText(property, text, emailHosts)
    case 'number':
      return /^-?(\d+\.?\d*|\.\d+)$/.test(text)
        ? { value: text }
        : { error: 'INVALID_INTEGER', message: `${text} was not a valid number.` }
    case 'bool':
      return text === 'true' || text === 'false'
        ? { value: text }
        : { error: 'INVALID_OPTION', message: `${text} was not one of the allowed options: [true, false]` }
    case 'date':
      return checkDate(text)
    case 'datetime':
      return checkInstant(text)
    case 'enumeration':
      return checkOptions(property, text, current)
  }
}

function checkText(property: Property, text: string, emailHosts: HostSpelling): CheckedValue {
  if (text.length > textLimit) {
    return { error: 'PROPERTY_VALUE_TOO_LONG', message: `${property.name} exceeds ${textLimit} characters` }
  }
  if (property.name !== 'email' || property.typeId !== contactTypeId) return { value: text }
  const email = keptEmail(text, emailHosts)
  return email === undefined
    ? { error: 'INVALID_EMAIL', message: `Email address ${text} is invalid` }
    : { value: email }
}

function checkDate(text: string): CheckedValue {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : millisecondsIn(text)
  if (ms === undefined || Number.isNaN(ms)) {
    return { error: 'INVALID_DATE', message: `${text} was not a valid date.` }
  }
  if (ms % dayMs !== 0) return { error: 'INVALID_DATE', message: `${text} is not midnight UTC.` }
  return { value: new Date(ms).toISOString().slice(0, 10) }
}

function checkInstant(text: string): CheckedValue {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text)
  const ms = isIso ? Date.parse(text) : millisecondsIn(text)
  if (ms === undefined || Number.isNaN(ms)) {
    return { error: 'INVALID_DATE', message: `${text} was not a valid datetime.` }
  }
  return { value: new Date(ms).toISOString() }
}

function millisecondsIn(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

function checkOptions(property: Property, text: string, current: string): CheckedValue {
  const isAppended = text.startsWith(';')
  const chosen = text.split(';').filter((value) => value !== '')
  // HubSpot's own lists of ids, addresses and domains are enumerations without options.
  const allowed = property.hubspotDefined && property.options.length === 0 ? undefined : property.options
  const unknown = chosen.find((value) => allowed?.every((option) => option.value !== value))
  if (unknown !== undefined) {
    const names = (allowed ?? []).map((option) => option.value).join(', ')
    return { error: 'INVALID_OPTION', message: `${unknown} was not one of the allowed options: [${names}]` }
  }
  if (chosen.length > 1 && property.fieldType !== 'checkbox') {
    return { error: 'INVALID_OPTION', message: `${property.name} allows only one option` }
  }
  const before = isAppended ? current.split(';').filter((value) => value !== '') : []
  return { value: [...new Set([...before, ...chosen])].join(';') }
}
