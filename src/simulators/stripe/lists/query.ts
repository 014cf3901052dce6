import { Refusal, unknownParameter, unknownParameters } from '../requests/refusal.ts'
import type { SecondsWindow } from './page.ts'

/** One parameter as sent: `a=1`, `a[]=1`, `a[0]=1` or `a[key]=1`. */
export type Parameter = {
  readonly name: string
  readonly text: string | undefined
  readonly list: readonly string[]
  readonly fields: ReadonlyMap<string, string>
}

export type Query = ReadonlyMap<string, Parameter>

type Collected = { name: string; text: string | undefined; list: string[]; fields: Map<string, string> }

const keyPattern = /^([A-Za-z_]+)(?:\[([A-Za-z0-9_]*)\])?$/
const limitDefault = 10
const limitMax = 100

/** Reads a query string in Stripe's bracket notation and refuses parameters the endpoint does not know. */
export function parseQuery(search: URLSearchParams, known: ReadonlySet<string>): Query {
  const query = new Map<string, Collected>()
  const unknown = [...search.keys()]
    .map((key) => keyPattern.exec(key)?.[1] ?? key)
    .filter((name) => !known.has(name))
  if (unknown.length > 0) throw unknownParameters([...new Set(unknown)])
  for (const [key, value] of search) {
    const [, name, inner] = keyPattern.exec(key) ?? []
    if (name === undefined) throw unknownParameter(key)
    const parameter: Collected = query.get(name) ?? { name, text: undefined, list: [], fields: new Map() }
    query.set(name, parameter)
    if (value === '') throw emptyText(key)
    if (inner === undefined) parameter.text = value
    else if (inner === '' || /^\d+$/.test(inner)) parameter.list.push(value)
    else parameter.fields.set(inner, value)
  }
  return query
}

export function readLimit(query: Query): number {
  const parameter = query.get('limit')
  if (parameter === undefined) return limitDefault
  const limit = readInteger('limit', parameter.text ?? '')
  if (limit < 1) throw badInteger('limit', 'This value must be greater than or equal to 1.')
  if (limit > limitMax)
    throw badInteger('limit', `This value must be less than or equal to 100 (it currently is '${limit}').`)
  return limit
}

/** Reads `name=second` or `name[gt|gte|lt|lte]=second` as a window with both ends included. */
export function readWindow(parameter: Parameter | undefined): SecondsWindow {
  const all = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: Number.POSITIVE_INFINITY }
  if (parameter === undefined) return all
  if (parameter.text !== undefined) {
    const second = readInteger(parameter.name, parameter.text)
    return { fromSeconds: second, toSeconds: second }
  }
  for (const [bound, text] of parameter.fields) {
    const second = readInteger(`${parameter.name}[${bound}]`, text)
    if (bound === 'gt') all.fromSeconds = Math.max(all.fromSeconds, second + 1)
    else if (bound === 'gte') all.fromSeconds = Math.max(all.fromSeconds, second)
    else if (bound === 'lt') all.toSeconds = Math.min(all.toSeconds, second - 1)
    else if (bound === 'lte') all.toSeconds = Math.min(all.toSeconds, second)
    else throw unknownParameter(`${parameter.name}[${bound}]`)
  }
  return all
}

/** Reads a parameter that must be a plain text, such as an id. */
export function readText(parameter: Parameter): string {
  if (parameter.text === undefined) throw new Refusal(400, 'Invalid string', { param: parameter.name })
  return parameter.text
}

/** Reads a parameter that must be a list, such as `expand[]`; empty if it is missing. */
export function readList(parameter: Parameter | undefined): readonly string[] {
  if (parameter === undefined) return []
  if (parameter.text !== undefined) throw new Refusal(400, 'Invalid array', { param: parameter.name })
  return parameter.list
}

export function readBoolean(parameter: Parameter): boolean {
  const text = readText(parameter)
  if (text === 'true') return true
  if (text === 'false') return false
  throw new Refusal(400, `Invalid boolean: ${text}`, { param: parameter.name })
}

function readInteger(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw badInteger(name, `Invalid integer: ${text}`)
  return Number(text)
}

function badInteger(param: string, message: string): Refusal {
  return new Refusal(400, message, { code: 'parameter_invalid_integer', param })
}

function emptyText(param: string): Refusal {
  return new Refusal(
    400,
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however ` +
      `'${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    { code: 'parameter_invalid_empty', param },
  )
}
