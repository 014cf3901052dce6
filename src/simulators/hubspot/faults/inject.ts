import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { CallerConnection } from '../caller.ts'
import { type RatePolicy, rateLimited } from '../rate-limit.ts'
import type { FaultRule } from './rules.ts'

const defaultStatus = 500
const defaultHtmlStatus = 502

/** Answers a request under a fault; `work` is the answer without it. */
export async function inject(
  rule: FaultRule,
  env: CallerConnection,
  wait: (ms: number) => Promise<void>,
  work: () => Promise<Response>,
): Promise<Response> {
  switch (rule.kind) {
    case 'slow':
      await wait(rule.delayMs)
      return marked(rule, await work())
    case 'reset':
      return dropConnection(env)
    case 'lost_answer':
      await work()
      return rule.status === null ? dropConnection(env) : marked(rule, errorAnswer(rule, rule.status))
    case 'truncate': {
      const whole = await work()
      const text = await whole.text()
      return marked(rule, new Response(text.slice(0, text.length / 2), whole))
    }
    case 'html': {
      const page = '<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>'
      const headers = { 'content-type': 'text/html' }
      return marked(rule, new Response(page, { status: rule.status ?? defaultHtmlStatus, headers }))
    }
    case 'empty':
      return marked(rule, new Response('', { status: rule.status ?? 200 }))
    case 'rate_limit': {
      const body = { status: 'error', ...rateLimited(policyOf(rule)).body }
      return marked(rule, Response.json(body, { status: 429 }))
    }
    case 'unread':
      return marked(rule, unreadAnswer(rule))
    case 'status':
      return marked(rule, errorAnswer(rule, rule.status ?? defaultStatus))
  }
}

function policyOf(rule: FaultRule): RatePolicy {
  const named = rule.policyName
  return named === 'SECONDLY' || named === 'DAILY' ? named : 'TEN_SECONDLY_ROLLING'
}

/** The id of every refusal that a fault makes. */
const correlationId = '00000000-0000-4000-8000-00000fa01700'

function errorAnswer(rule: FaultRule, status: number): Response {
  const message = rule.message ?? 'internal error'
  const category = rule.category === null ? {} : { category: rule.category }
  return Response.json({ status: 'error', message, ...category, correlationId }, { status })
}

const unfinished = ['PENDING', 'PROCESSING', 'CANCELED']

/** A batch answer without rows: HubSpot failed at them, or, as `category` names it, is not done with them. */
function unreadAnswer({ category, message }: FaultRule): Response {
  if (category !== null && unfinished.includes(category))
    return Response.json({ status: category, results: [] }, { status: 202 })
  const failed = {
    status: 'error',
    category: category ?? 'INTERNAL_ERROR',
    message: message ?? 'internal error',
  }
  return Response.json({ status: 'COMPLETE', results: [], numErrors: 1, errors: [failed] }, { status: 207 })
}

function marked(rule: FaultRule, answer: Response): Response {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  headers.set('x-simulated-fault', rule.kind)
  if (rule.retryAfter !== null) headers.set('retry-after', rule.retryAfter)
  return new Response(answer.body, { status: answer.status, headers })
}

/** Cuts the connection without an answer; in process, throws as `fetch` does. */
function dropConnection(env: CallerConnection): Response {
  if (env.outgoing === undefined) {
    const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    throw new TypeError('fetch failed', { cause })
  }
  env.outgoing.destroy()
  return RESPONSE_ALREADY_SENT
}
