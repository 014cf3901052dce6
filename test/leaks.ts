/** Searches every answer and every log line in all tests for secrets. A find fails the test file (test/no-leaks.ts). */
type Where = 'answer' | 'log' | 'database' | 'mail' | 'bundle'

/** The forms of secrets, to find also those that no test declared. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a key of Stripe', /\b[sr]k_(?:test|live)_(?!tributary_demo\b)\w{6,}/],
  ['a signing secret', /whsec_[A-Za-z0-9+/=_-]{8,}/],
  ['a service key of HubSpot', /\bpat-[a-z]{2}\d-[0-9a-f]{8}-/],
  ['a token of HubSpot', /\b(?:access|refresh|code)-[\w-]{100,}/],
  ['a sealed secret', /\bs1\.\d+\.[\w-]{40,}/],
  ['the hash of a password', /\b[0-9a-f]{32}:[0-9a-f]{128}\b/],
  ['an address of a database', /postgres(?:ql)?:\/\/\w+:/],
]
/** What the database is meant to store: sealed and hashed secrets. */
const keptIn = new Set(['a sealed secret', 'the hash of a password'])

const declared = new Map<string, { what: string; where: readonly Where[] }>()
const everywhere: readonly Where[] = ['answer', 'log', 'database', 'mail', 'bundle']
/** The most session cookies to search for; thousands would make each search slow. */
const sessionsMax = 60
const sessions: string[] = []
const found = new Set<string>()
const looked = new Map<Where, number>()

/** Declares a text that must not occur anywhere, or not in some places. */
export function declareSecret(what: string, value: string, where: readonly Where[] = everywhere): void {
  declared.set(value, { what, where })
}

/** Searches a text that left the product; `place` names where, without the secret itself. */
export function lookAt(where: Where, place: string, text: string): void {
  looked.set(where, (looked.get(where) ?? 0) + 1)
  for (const [what, shape] of shapes) {
    if (where === 'database' && keptIn.has(what)) continue
    if (shape.test(text)) found.add(`${what} in ${where}: ${place}`)
  }
  for (const [value, { what, where: forbidden }] of declared) {
    if (forbidden.includes(where) && text.includes(value)) found.add(`${what} in ${where}: ${place}`)
  }
}

/** Reports a leak that another kind of search found. */
export function reportLeak(leak: string): void {
  found.add(leak)
}

/** The leaks since the last call. */
export function takeLeaks(): string[] {
  const leaks = [...found]
  found.clear()
  return leaks
}

/** The number of searched texts, by origin. */
export function countLooked(): Record<string, number> {
  return Object.fromEntries(looked)
}

type App = { fetch(request: Request, ...rest: never[]): Response | Promise<Response> }

/**
 * Wraps the app so that each of its answers is searched and its session cookies count as secrets from then on. `note`
 * also receives each answer.
 */
export function watchAnswers<Watched extends App>(
  app: Watched,
  note: (request: Request, answer: Response) => Promise<void>,
): Watched {
  const fetch = async (request: Request, ...rest: never[]) => {
    const answer = await app.fetch(request, ...rest)
    const place = `${request.method} ${new URL(request.url).pathname}`
    for (const cookie of answer.headers.getSetCookie()) declareSession(cookie)
    const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
    lookAt('answer', place, JSON.stringify(headers))
    if (answer.body !== null) lookAt('answer', place, await answer.clone().text())
    await note(request, answer)
    return answer
  }
  return { ...app, fetch }
}

/** The database contains a session's token, which is useless without its signature. */
function declareSession(cookie: string): void {
  const value = /session_token=([^;]+)/.exec(cookie)?.[1]
  if (value === undefined) return
  const signed = decodeURIComponent(value)
  const [token = ''] = signed.split('.')
  if (token === '') return
  declareSecret('the token of a session', token, ['answer', 'log', 'mail'])
  declareSecret('the cookie of a session', signed)
  sessions.push(token, signed)
  for (const old of sessions.splice(0, Math.max(0, sessions.length - sessionsMax))) declared.delete(old)
}
