/**
 * Searches with as many parallel calls as the call limit allows until it is stopped; then reports the number of each
 * answer.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** The most calls at once for one person (src/server/http/call-limit.ts). */
const inFlight = 800
const paths = ['/api/stripe/subscriptions', '/api/stripe/transactions', '/api/matches']
const texts = ['e', 'a', '1', 'b1c3', 'example', 'no such thing']

const counts: Record<number, number> = {}
let isStopped = false

async function searchOn(origin: string, cookie: string, start: number): Promise<void> {
  for (let number = start; !isStopped; number += 1) {
    const path = paths[number % paths.length]
    const search = texts[number % texts.length] ?? ''
    const answer = await ask(`${origin}${path}?${new URLSearchParams({ search, limit: '100' })}`, cookie)
    counts[answer.status] = (counts[answer.status] ?? 0) + 1
    // A refused caller gains nothing by asking again before the announced time.
    if (answer.waitMs > 0 && !isStopped) await sleep(answer.waitMs)
  }
}

/** Status 0 means that the server had already closed the connection. */
async function ask(address: string, cookie: string): Promise<{ status: number; waitMs: number }> {
  try {
    const answer = await fetch(address, { headers: { cookie } })
    await answer.arrayBuffer()
    return { status: answer.status, waitMs: Number(answer.headers.get('retry-after') ?? 0) * 1_000 }
  } catch {
    return { status: 0, waitMs: 0 }
  }
}

process.on('message', (message: 'stop' | { origin: string; cookie: string }) => {
  if (message === 'stop') {
    isStopped = true
    process.send?.(counts, () => process.exit(0))
    return
  }
  for (let start = 0; start < inFlight; start += 1) void searchOn(message.origin, message.cookie, start)
})
