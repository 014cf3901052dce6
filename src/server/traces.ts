/** Never a secret, a name, an address or words from outside: only routes, statuses, kinds and ids of our own. */
export type SpanAttributes = Record<string, string | number | boolean>

/** `server`: a request to us; `client`: a request to a provider; `job`: work from the queue. */
export type NewSpan = { name: string; role: 'server' | 'client' | 'job'; attributes: SpanAttributes }

/** A span in progress, to which its work adds what it finds out. */
export type OpenSpan = { rename(name: string): void; note(attributes: SpanAttributes): void }

/** Does the work in a span, below the span of the work around it. */
export type InSpan = <T>(span: NewSpan, work: (open: OpenSpan) => Promise<T>) => Promise<T>

export type Tracing = {
  inSpan: InSpan
  /** Sends what is left, within seconds. */
  close(): Promise<void>
}

const nobodyListens: OpenSpan = { rename: () => {}, note: () => {} }

/** Without a place to send them to, there are no traces. */
export const noTraces: Tracing = { inSpan: (_, work) => work(nobodyListens), close: async () => {} }

type Asked = { method: string; url: string | URL }

/**
 * Wraps the requests to a provider, each in a span. The span names the first two parts of the path, which say what is
 * asked; later parts and the query can hold ids and addresses.
 */
export function traceAnswers<Q extends unknown[], A extends { status: number }>(
  inSpan: InSpan,
  provider: string,
  askedOf: (first: Q[0]) => Asked,
  ask: (...question: Q) => Promise<A>,
): (...question: Q) => Promise<A> {
  return (...question) => {
    const { method, url } = askedOf(question[0])
    const { hostname, pathname } = new URL(url)
    const path = pathname.split('/').slice(0, 3).join('/')
    const attributes = { 'http.request.method': method, 'server.address': hostname, 'url.path': path }
    return inSpan({ name: `${provider} ${method} ${path}`, role: 'client', attributes }, async ({ note }) => {
      const answer = await ask(...question)
      note({ 'http.response.status_code': answer.status })
      return answer
    })
  }
}
