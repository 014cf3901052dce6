import type { OutgoingHttpHeaders } from 'node:http'
import { AnswerBrokenOff, type Send } from '#server/providers/send.ts'

/** A provider as a function, such as a simulator in this process. */
export type FetchStub = (request: Request) => Promise<Response>

/** The timers that abort a late answer. */
export type Timers = { start(run: () => void, ms: number): unknown; stop(timer: unknown): void }

const realTimers: Timers = {
  start: (run, ms) => setTimeout(run, ms),
  stop: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/** Calls a function instead of opening a connection. */
export function sendBy(fetch: FetchStub, timers: Timers = realTimers): Send {
  return async ({ url, headers, signal, timeoutMs }, take) => {
    const late = new AbortController()
    const deadline = timers.start(() => late.abort(new Error('too late')), timeoutMs)
    const signals = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
    const givenUp = new Promise<never>((_, reject) => {
      signals.addEventListener('abort', () => reject(signals.reason))
    })
    givenUp.catch(() => {})
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    try {
      signals.throwIfAborted()
      const asked = fetch(new Request(url, { headers: headersOf(headers), signal: signals }))
      const response = await Promise.race([asked, givenUp])
      reader = response.body?.getReader()
      for (;;) {
        const read = await Promise.race([reader?.read(), givenUp]).catch((cause: unknown) => {
          signals.throwIfAborted()
          throw new AnswerBrokenOff('The answer broke off.', { cause })
        })
        if (!read || read.done)
          return { status: response.status, headers: Object.fromEntries(response.headers) }
        take(read.value)
      }
    } finally {
      timers.stop(deadline)
      await reader?.cancel().catch(() => {})
    }
  }
}

function headersOf(headers: OutgoingHttpHeaders): Headers {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Headers(known.map(([name, value]) => [name, String(value)]))
}
