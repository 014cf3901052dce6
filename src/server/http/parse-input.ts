import type { z } from 'zod'
import { Refusal } from '../refusal.ts'

/** Checks one part of a request. The message of the refusal names the field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_request', describeIssue(parsed.error.issues[0]))
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'The request is invalid.'
  if (issue.code === 'unrecognized_keys')
    return `${fieldOf([...issue.path, ...issue.keys.slice(0, 1)])}: is not known.`
  const field = fieldOf(issue.path)
  return field === '' ? issue.message : `${field}: ${issue.message}`
}

function fieldOf(path: PropertyKey[]): string {
  return path.map(String).join('.').slice(0, 100)
}

/** The query as an object of texts. A repeated key is refused, because its meaning is not clear. */
export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [key, value] of new URL(url).searchParams) {
    if (key === '__proto__') throw new Refusal('invalid_request', '__proto__: is not known.')
    if (Object.hasOwn(query, key)) {
      throw new Refusal('invalid_request', `${key.slice(0, 100)}: is given more than once.`)
    }
    query[key] = value
  }
  return query
}
