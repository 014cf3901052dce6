import type { Fault } from './faults.ts'
import { Refusal } from './refusal.ts'

/** The connection a request came in on, when there is one: it is cut for a reset. */
export type Connection = { destroy(): unknown }

export type Wait = (ms: number) => Promise<void>

type Strike = {
  readonly fault: Fault
  /** The answer the request would have had. */
  readonly answer: () => Response
  readonly connection: Connection | undefined
  readonly wait: Wait
}

const PROXY_PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>'

/** Carries a fault out. A reset without a connection (in process) is thrown as `fetch` would throw it. */
export async function answerWithFault(strike: Strike): Promise<Response> {
  const { fault } = strike
  if (fault.kind !== 'slow' && fault.delayMs > 0) await strike.wait(fault.delayMs)
  switch (fault.kind) {
    case 'slow':
      await strike.wait(fault.delayMs)
      return marked(strike.answer(), fault)
    case 'status':
      return marked(statusAnswer(fault), fault)
    case 'rate_limit':
      return marked(rateLimitAnswer(fault), fault)
    case 'html':
      return marked(new Response(PROXY_PAGE, { status: fault.status, headers: htmlHeaders() }), fault)
    case 'empty':
      return marked(new Response('', { status: 200, headers: { 'content-type': 'application/json' } }), fault)
    case 'truncate':
      return marked(await cutBody(strike.answer(), strike.connection), fault)
    case 'reset':
      return reset(strike.connection)
  }
}

function statusAnswer(fault: Fault): Response {
  const type = fault.status >= 500 ? 'api_error' : 'invalid_request_error'
  const refusal = new Refusal(fault.status, 'An unexpected error occurred.', { type, code: fault.code })
  return Response.json(refusal.body, { status: fault.status })
}

function rateLimitAnswer(fault: Fault): Response {
  const refusal = new Refusal(429, 'Request rate limit exceeded.', { code: fault.code ?? 'rate_limit' })
  return Response.json(refusal.body, {
    status: 429,
    headers: { 'stripe-rate-limited-reason': fault.reason },
  })
}

/** Sends the first half of the body and breaks off: cuts the connection, or fails the stream in process. */
async function cutBody(whole: Response, connection: Connection | undefined): Promise<Response> {
  const bytes = new Uint8Array(await whole.arrayBuffer())
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) {
        if (connection === undefined) return controller.error(new TypeError('terminated'))
        connection.destroy()
        return controller.close()
      }
      sent = true
      controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)))
    },
  })
  return new Response(body, { status: whole.status, headers: whole.headers })
}

function reset(connection: Connection | undefined): Response {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  if (connection === undefined) throw new TypeError('fetch failed', { cause })
  connection.destroy()
  return new Response(null)
}

function marked(response: Response, fault: Fault): Response {
  response.headers.set('x-simulated-fault', fault.kind)
  if (fault.shouldRetry !== undefined) response.headers.set('stripe-should-retry', String(fault.shouldRetry))
  return response
}

function htmlHeaders(): Record<string, string> {
  return { 'content-type': 'text/html; charset=utf-8' }
}
