import type { Visitor } from '../harness.ts'
import { type IdPlace, type ProbedCall, type ProbeInput, probedList } from './calls.ts'

export type ProbeAnswer = {
  status: number
  text: string
  headers: Headers
  /** Everything that a caller can see of the answer, except what differs between any two answers. */
  seen: string
}

const differsAlways = new Set(['date', 'x-request-id'])
/** The state of an authorization is random by design. */
const chance = /(?<=[?&]state=)[\w-]+/g

/** Makes the call as a page of the product would. */
export async function ask(
  visitor: Visitor,
  call: Pick<ProbedCall, 'method'>,
  input: ProbeInput,
  headers: Record<string, string> = {},
): Promise<ProbeAnswer> {
  const query = new URLSearchParams(input.query).toString()
  const hasBody = call.method !== 'GET'
  const answer = await visitor.fetch(`${input.path}${query === '' ? '' : `?${query}`}`, {
    method: call.method,
    headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: typeof input.body === 'string' ? input.body : JSON.stringify(input.body ?? {}) }),
  })
  const text = await answer.text()
  const shown = [...answer.headers].filter(([name]) => !differsAlways.has(name))
  return {
    status: answer.status,
    text,
    headers: answer.headers,
    seen: JSON.stringify([answer.status, text.replace(chance, ''), shown]),
  }
}

/** The same request with another id in one place. */
export function withId(call: ProbedCall, input: ProbeInput, place: IdPlace, id: string): ProbeInput {
  if (place.part === 'query') return { ...input, query: { ...input.query, [place.name]: id } }
  if (place.part === 'body' && isListed(input.body, place.name)) {
    const { customers: listed, ...others } = input.body
    const items = listed.map((item) => ({ ...item, [place.name]: id }))
    return { ...input, body: { ...others, [probedList]: items } }
  }
  if (place.part === 'body') return { ...input, body: { ...Object(input.body), [place.name]: id } }
  const segments = call.path.split('/').indexOf(`{${place.name}}`)
  return { ...input, path: input.path.split('/').with(segments, id).join('/') }
}

function isListed(body: unknown, name: string): body is { customers: object[] } {
  const listed: unknown = Object(body)[probedList]
  return Array.isArray(listed) && name in Object(listed[0])
}

/** The request with an organization added where the call takes none. */
export function smuggle(input: ProbeInput, into: 'query' | 'body' | 'header', organizationId: string) {
  const headers: Record<string, string> = into === 'header' ? { 'x-organization-id': organizationId } : {}
  if (into === 'query') return { headers, input: { ...input, query: { ...input.query, organizationId } } }
  if (into === 'body')
    return { headers, input: { ...input, body: { ...Object(input.body), organizationId } } }
  return { headers, input }
}
