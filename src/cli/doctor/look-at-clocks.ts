import { codeOf } from './code-of.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

/** From this difference on, the server's own log warns too. */
const warnFromMs = 2_000
/** Stripe's signatures are refused after five minutes, and sessions and mailed links would end at a wrong time. */
const wrongFromMs = 60_000
const timeoutMs = 10_000
/** A header names whole seconds, always the one that has begun. */
const headerStepMs = 1_000
const machineClock = "this machine's clock"

const { ok, warning, wrong } = symptomsOf('clock')

/** `now` is the database's clock, if it `answers`; otherwise this machine's. */
export type LookedAtClocks = {
  now: () => Date
  answers: boolean
  machineNow: () => number
  hosts: readonly { name: string; url: string }[]
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * Compares the machine's clock with the database's, and that with the `Date` of each provider's answer. A request without
 * any key is enough, so that this also shows whether the providers can be reached.
 */
export async function lookAtClocks(clocks: LookedAtClocks): Promise<Symptom[]> {
  const compared = await Promise.all(clocks.hosts.map((host) => compareWith(clocks, host)))
  if (!clocks.answers) return compared
  const aheadMs = clocks.machineNow() - clocks.now().getTime()
  return [judgeClock(machineClock, aheadMs, 0, "the database's"), ...compared]
}

async function compareWith(
  { now, answers, fetch }: LookedAtClocks,
  { name, url }: LookedAtClocks['hosts'][number],
): Promise<Symptom> {
  const { host } = new URL(url)
  const askedMs = now().getTime()
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await answer.body?.cancel()
    const answeredMs = now().getTime()
    const toldMs = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isNaN(toldMs)) return warning(`${name} (${host}) answers without a date`)
    const ahead = (askedMs + answeredMs) / 2 - (toldMs + headerStepMs / 2)
    const unsureMs = (answeredMs - askedMs + headerStepMs) / 2
    return judgeClock(answers ? "the database's clock" : machineClock, ahead, unsureMs, `${name}'s (${host})`)
  } catch (error) {
    return wrong(`${name} cannot be reached at ${host} (${codeOf(error)}): look at DNS, firewall and proxy`)
  }
}

function judgeClock(whose: string, aheadMs: number, unsureMs: number, others: string): Symptom {
  const offMs = Math.max(0, Math.abs(aheadMs) - unsureMs)
  if (offMs < warnFromMs) return ok(`${whose} agrees with ${others}`)
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const text = `${whose} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${others}: set it, best by NTP`
  return offMs < wrongFromMs ? warning(text) : wrong(text)
}
