const patienceMs = 30_000

export type VisitorAnswer = { status: number; retryAfter: string | null; body: Record<string, unknown> }

/**
 * A browser's page over real sockets: keeps cookies, sends the product's origin. Throws if no answer comes in time.
 * `server` returns the server to ask, if there are several.
 */
export function createVisitor(origin: string, server = () => origin) {
  const cookies = new Map<string, string>()
  return async (path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<VisitorAnswer> => {
    const answer = await fetch(new URL(path, server()), {
      method,
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'manual',
      headers: {
        origin,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await answer.text()
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: objectOf(text) }
  }
}

export type OutageVisitor = ReturnType<typeof createVisitor>

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return { text }
  }
}
