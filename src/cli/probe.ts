import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { takeProxy } from '#server/outgoing-network.ts'
import { ConfigError } from '#server/settings/config-error.ts'
import { readProbeSettings } from '#server/settings/probe-settings.ts'
import { readProxySettings } from '#server/settings/proxy-settings.ts'
import { trustAuthorities } from '#server/settings/trust-authorities.ts'
import { oneLine } from './one-line.ts'
import { createAsk, type Finding } from './probe/ask.ts'
import { askHubspot } from './probe/hubspot-questions.ts'
import { tableOf } from './probe/report.ts'
import { askStripe } from './probe/stripe-questions.ts'

/**
 * Asks test accounts what no document says, prints a table, and writes it into a new file that can be sent. Exit code 2
 * for a wrong setting, 1 when a provider could not be asked.
 */
export async function probe(file: string, isLiveAllowed: boolean): Promise<number> {
  try {
    const { stripe, hubspot } = readProbeSettings(process.env, isLiveAllowed)
    takeProxy({ proxy: readProxySettings(process.env) })
    trustAuthorities({ authoritiesFile: process.env['NODE_EXTRA_CA_CERTS'] || null })
    // Before anything is asked: an answer that cannot be written would be lost.
    const written = openSync(file, 'wx')
    const parts: string[] = []
    const failures: string[] = []
    const add = async (name: string, asking: Promise<Finding[]>) => {
      const findings = await asking.catch((error: unknown) => {
        failures.push(`${name}: ${reasonOf(error)}`)
        return []
      })
      if (findings.length > 0) parts.push(`## ${name}\n\n${tableOf(findings)}\n`)
    }
    if (stripe) await add('Stripe', askStripe(askerOf(stripe, false), stripe.key))
    if (hubspot) await add('HubSpot', askHubspot(askerOf(hubspot, true), randomBytes(4).toString('hex')))
    const text = parts.join('\n')
    process.stdout.write(text)
    for (const failure of failures) process.stderr.write(`Tributary could not ask ${failure}\n`)
    writeSync(written, text)
    closeSync(written)
    if (text === '') rmSync(file)
    else {
      process.stdout.write(`\nWrote ${file}. It holds no key, name, address, id or amount.\n`)
    }
    return failures.length === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`Tributary cannot probe: ${oneLine(error)}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}

/** The error of `fetch` itself says nothing; its cause has a code. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: NodeJS.ErrnoException }
  if (cause instanceof Error) return `it could not be reached (${cause.code ?? cause.name})`
  return oneLine(error)
}

function askerOf({ apiUrl, key }: { apiUrl: string; key: string }, mayWrite: boolean) {
  const version = mayWrite ? {} : { 'stripe-version': Stripe.API_VERSION }
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json', ...version }
  return createAsk({ fetch, origin: apiUrl, headers, mayWrite, sleep })
}
