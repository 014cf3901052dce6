/** One call to a provider, and its answer as it came. */
export type Asked = { status: number; headers: Headers; body: unknown }
export type AskProvider = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<Asked>

/** What one question of the probe found. Evidence never holds a secret, a name, an address, an id or an amount. */
export type Finding = { question: string; answer: string; evidence: string }

/** Far below the limits of both providers. */
const pauseMs = 100
const timeoutMs = 30_000

/** Calls one provider, one call after the other. A call that is not allowed to write throws before it is sent. */
export function createAsk(options: {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  origin: string
  headers: Record<string, string>
  mayWrite: boolean
  sleep: (ms: number) => Promise<unknown>
}): AskProvider {
  return async (method, path, body) => {
    if (method !== 'GET' && !options.mayWrite) throw new Error(`A ${method} request was refused.`)
    await options.sleep(pauseMs)
    const answer = await options.fetch(`${options.origin}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...options.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: jsonOrNull(text) }
  }
}

/** The value at the path; undefined if it is not there. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (from, step) => (typeof from === 'object' && from !== null ? Reflect.get(from, step) : undefined),
    value,
  )
}

/** The list at the path; empty if there is none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** How often each word occurs: `3 null, 1 listed`. */
export function tally(words: readonly string[]): string {
  const counts = Map.groupBy(words, (word) => word)
  return [...counts].map(([word, all]) => `${all.length} ${word}`).join(', ')
}

/** The one word that all have; `mixed` or, of none, `not seen`. */
export function verdict(words: readonly string[]): string {
  const [first, ...others] = new Set(words)
  if (first === undefined) return 'not seen'
  return others.length === 0 ? first : 'mixed'
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
