import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRecord } from '../world/world.ts'

/**
 * Checks the part of JSON Schema that Stripe's OpenAPI document uses. An unnamed field is an error, stricter than the
 * document, so that no field of an older API version goes unnoticed.
 */
type Schema = Readonly<Record<string, unknown>>

const file = 'specs/stripe/billing-readonly.2026-10-28.endive.openapi.json'
const repository = resolve(import.meta.dirname, '../../../..')
const specPath = resolve(process.env['STRIPE_SPEC_ROOT'] ?? resolve(repository, '../shared'), file)

/** Whether the document exists; tests that need it are skipped otherwise. */
export const specIsThere = existsSync(specPath)

let document: Schema | undefined

function spec(): Schema {
  if (document !== undefined) return document
  const parsed: unknown = JSON.parse(readFileSync(specPath, 'utf8'))
  document = isRecord(parsed) ? parsed : {}
  return document
}

/** Checks the 200 answer of a documented path, such as `/v1/invoices/{id}`. Returns one line per mistake. */
export function validateAgainstSpec(path: string, body: unknown): string[] {
  const schema = follow(spec(), [
    'paths',
    path,
    'get',
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  ])
  if (!isRecord(schema)) return [`the document does not name ${path}`]
  return check(schema, body, '')
}

/** Checks the body of an error answer. */
export function validateErrorAgainstSpec(body: unknown): string[] {
  return check({ $ref: '#/components/schemas/error' }, body, '')
}

/** The names of the query parameters that the document lists for a path. */
export function queryParametersInSpec(path: string): string[] {
  const parameters = follow(spec(), ['paths', path, 'get', 'parameters'])
  return schemas(parameters)
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => String(parameter['name']))
}

/** The allowed words of a path's parameter; none if it is free text. */
export function wordsInSpec(path: string, name: string): string[] {
  const parameters = schemas(follow(spec(), ['paths', path, 'get', 'parameters']))
  const words = follow(
    parameters.find((parameter) => parameter['name'] === name),
    ['schema', 'enum'],
  )
  return Array.isArray(words) ? words.map(String) : []
}

/** The event types about one kind of object, such as `Invoice`. */
export function eventTypesInSpec(object: string): string[] {
  return schemas(follow(spec(), ['x-events']))
    .filter((event) => event['object'] === object)
    .map((event) => String(event['type']))
}

function follow(from: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), from)
}

function check(schema: Schema, value: unknown, at: string): string[] {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const target = follow(spec(), reference.slice(2).split('/'))
    return isRecord(target) ? check(target, value, at) : [`${at}: unknown ${reference}`]
  }
  if (value === null) return schema['nullable'] === true ? [] : [`${at}: null is not allowed`]
  const every = schemas(schema['allOf'])
  if (every.length > 0) return every.flatMap((part) => check(part, value, at))
  const choices = schemas(schema['anyOf'])
  if (choices.length > 0) return checkChoices(choices, value, at)
  return checkType(schema, value, at)
}

/**
 * Returns the mistakes of the nearest choice: the one with the same `object` word, otherwise the one with the fewest
 * mistakes.
 */
function checkChoices(choices: readonly Schema[], value: unknown, at: string): string[] {
  const tried = choices.map((choice) => check(choice, value, at)).toSorted((a, b) => a.length - b.length)
  return tried[0] ?? []
}

function checkType(schema: Schema, value: unknown, at: string): string[] {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' ? checkEnum(schema, value, at) : [`${at}: must be a string`]
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at}: must be an integer`]
    case 'number':
      return typeof value === 'number' ? [] : [`${at}: must be a number`]
    case 'boolean':
      return typeof value === 'boolean' ? checkEnum(schema, value, at) : [`${at}: must be a boolean`]
    case 'array':
      if (!Array.isArray(value)) return [`${at}: must be a list`]
      return value.flatMap((one: unknown, index) => check(schemaAt(schema, 'items'), one, `${at}[${index}]`))
    case 'object':
      return isRecord(value) ? checkObject(schema, value, at) : [`${at}: must be an object`]
    default:
      return []
  }
}

function checkEnum(schema: Schema, value: string | boolean, at: string): string[] {
  const allowed = schema['enum']
  if (!Array.isArray(allowed) || allowed.includes(value)) return []
  return [`${at}: ${value} is none of ${allowed.join(', ')}`]
}

function checkObject(schema: Schema, value: Schema, at: string): string[] {
  const properties = schemaAt(schema, 'properties')
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const mistakes = required.filter((field) => !(field in value)).map((field) => `${at}.${field}: is missing`)
  for (const [field, inner] of Object.entries(value)) {
    const named = properties[field]
    const other = schema['additionalProperties']
    if (isRecord(named)) mistakes.push(...check(named, inner, `${at}.${field}`))
    else if (isRecord(other)) mistakes.push(...check(other, inner, `${at}.${field}`))
    else if (schema['properties'] !== undefined) mistakes.push(`${at}.${field}: is not in the schema`)
  }
  return mistakes
}

function schemas(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function schemaAt(schema: Schema, field: string): Schema {
  const value = schema[field]
  return isRecord(value) ? value : {}
}
