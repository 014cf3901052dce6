import { type ErrorCode, errorBody, errorStatuses } from '#contract/errors.ts'
import type { ProbedCall } from './calls.ts'

/** The headers of every answer. */
const always = [
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'x-request-id',
  'cache-control',
]

/** Words of a stack trace, of SQL or of the machine, which no caller may see. */
const inner =
  /\bat \S+ \(|\.ts:\d|node_modules|syntax error at|violates|duplicate key|relation "|pg_|kysely|\bselect .* from\b|invalid input syntax|ECONN|\/(tmp|home|usr)\//i

/** The id itself is the secret that the mail of an invitation carries, so who knows it is told. */
export const toldToHolder = ['getInvitation']
/** The simulated mode's page with everyone's mail; with a real provider the product refuses to start in this mode. */
export const showsAll = ['GET /outbox']

type Seen = { status: number; headers: Headers; text: string }

/** Why an answer is wrong; null if it is a declared one. */
export function faultOf(call: ProbedCall, method: string, answer: Seen): string | null {
  const { status, headers, text } = answer
  if (status >= 500) return `answered ${status}`
  const missing = always.filter((name) => !headers.has(name))
  if (missing.length > 0) return `lacks ${missing.join(', ')}`
  if (status === 405 && !headers.has('allow')) return 'names no method that is allowed'
  if (status >= 400 && inner.test(text)) return 'tells something of its inside'
  if (method === 'HEAD' || status === 304) return null
  if (status >= 400) return call.access === 'page' ? null : errorFault(call, answer)
  if (status >= 300) return headers.has('location') ? null : 'sends nowhere'
  const isAsDeclared = call.endpoint?.answers === 'json' && method === call.method
  return isAsDeclared && !isDeclared(call, text) ? 'is outside its declared schema' : null
}

function errorFault(call: ProbedCall, { status, headers, text }: Seen): string | null {
  if (headers.get('content-type')?.startsWith('text/plain') && text === 'Page Not Found') return null
  const told = jsonOf(text)
  const parsed = errorBody.safeParse(told)
  if (parsed.success) {
    const { code, message } = parsed.data.error
    if (message.trim() === '') return 'says nothing'
    return errorStatuses[code as ErrorCode] === status ? null : `calls ${status} ${code}`
  }
  const isLibrary = call.access === 'library' && typeof Object(told).message === 'string'
  return isLibrary ? null : `refuses in another shape: ${text.slice(0, 200)}`
}

function isDeclared({ endpoint }: ProbedCall, text: string): boolean {
  return endpoint?.response.safeParse(jsonOf(text)).success ?? true
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
