import type { OutgoingHttpHeaders } from 'node:http'
import { AnswerBrokenOff, type Send } from '../send.ts'

/** A provider as a function, such as a simulator in this process. */
export type Fetch = (request: Request) => Promise<Response>

/** Asks a function instead of a connection. */
export function sendBy(fetch: Fetch): Send {
  return async ({ url, headers, signal, timeoutMs }, take) => {
    const late = new AbortController()
    const deadline = setTimeout(() => late.abort(new Error('too late')), timeoutMs)
    const signals = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    try {
      const response = await fetch(new Request(url, { headers: headersOf(headers), signal: signals }))
      reader = response.body?.getReader()
      for (;;) {
        const read = await reader?.read().catch((cause: unknown) => {
          signals.throwIfAborted()
          throw new AnswerBrokenOff('The answer broke off.', { cause })
        })
        if (!read || read.done)
          return { status: response.status, headers: Object.fromEntries(response.headers) }
        take(read.value)
      }
    } finally {
      clearTimeout(deadline)
      await reader?.cancel().catch(() => {})
    }
  }
}

function headersOf(headers: OutgoingHttpHeaders): Headers {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Headers(known.map(([name, value]) => [name, String(value)]))
}
