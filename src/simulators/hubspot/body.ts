import type { Context } from 'hono'
import { HubspotError, invalidInput } from './errors.ts'

export type HubspotJson = { readonly [name: string]: unknown }

export function isJsonObject(value: unknown): value is HubspotJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the request's JSON object; anything else gets HubSpot's 400 for unreadable input. */
export async function readJsonObject(context: Context): Promise<HubspotJson> {
  return parseJsonObject(await context.req.text())
}

export function parseJsonObject(text: string): HubspotJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new HubspotError(400, {
      message: 'Invalid input JSON on line 1, column 1',
      category: 'VALIDATION_ERROR',
    })
  }
  if (!isJsonObject(value)) throw invalidInput('Invalid input JSON: an object is required')
  return value
}

/** A text field; numeric ids become text. */
export function textAt(body: HubspotJson, name: string): string | undefined {
  const value = body[name]
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

export function getTextAt(body: HubspotJson, name: string): string {
  const value = textAt(body, name)
  if (value === undefined || value === '') {
    throw invalidInput(`Invalid input JSON: Some required fields were not set: [${name}]`)
  }
  return value
}

/** A number; null for anything else. */
export function numberAt(body: HubspotJson, name: string): number | null {
  const value = body[name]
  return typeof value === 'number' ? value : null
}

export function flagAt(body: HubspotJson, name: string): boolean | undefined {
  const value = body[name]
  return typeof value === 'boolean' ? value : undefined
}

export function objectAt(body: HubspotJson, name: string): HubspotJson {
  const value = body[name]
  return isJsonObject(value) ? value : {}
}

export function objectsAt(body: HubspotJson, name: string): readonly HubspotJson[] {
  const value = body[name]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    throw invalidInput(`Invalid input JSON: "${name}" must be a list of objects`)
  }
  return value
}

export function textsAt(body: HubspotJson, name: string): readonly string[] | undefined {
  const value = body[name]
  if (!Array.isArray(value)) return undefined
  return value.filter((item) => typeof item === 'string')
}

/** The `inputs` of a batch call; refuses the whole call if there are none, or more than `limit`. */
export function batchInputs(context: Context, body: HubspotJson, limit: number): readonly HubspotJson[] {
  if (body['inputs'] === undefined) {
    throw invalidInput('Invalid input JSON: Some required fields were not set: [inputs]')
  }
  const inputs = objectsAt(body, 'inputs')
  if (inputs.length > limit) {
    throw invalidInput(
      `Invalid input: The maximum batch size is ${limit}, but ${inputs.length} inputs were sent`,
    )
  }
  context.header('x-simulated-inputs', String(inputs.length))
  return inputs
}
