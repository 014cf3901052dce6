/** Searches with as many calls in flight as the limit on calls allows, until told to stop; then tells how often it got which answer. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A person may have so many at once (src/server/http/call-limit.ts). */
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
    // Who is refused gains nothing by asking before it is time.
    if (answer.waitMs > 0 && !isStopped) await sleep(answer.waitMs)
  }
}

/** A connection that the server has closed meanwhile counts as 0. */
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
