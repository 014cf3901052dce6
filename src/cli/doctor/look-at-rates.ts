import { dayOfDate } from '#domain/instant.ts'
import { parseEcbFile } from '#domain/reporting/parse-rates.ts'
import type { RatesPort } from '#server/providers/rates.ts'
import { codeOf } from './code-of.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const { ok, wrong, notAsked } = symptomsOf('exchange rates')

/** Reads the newest file of ECB_RATES as a worker does, and keeps nothing. While calls are off, only an own one. */
export async function lookAtRates(rates: RatesPort | null, isHeld: boolean, now: Date): Promise<Symptom> {
  if (rates === null) return ok('none are read: organizations upload files of their own')
  if (isHeld && !rates.isOwn) return notAsked('the address of ECB_RATES, because calls are off')
  const cure = rates.isOwn
    ? 'correct ECB_RATES, or give this user the right to it'
    : 'correct ECB_RATES, or look at DNS, firewall and proxy'
  try {
    const newest = (await rates.listFiles()).at(-1)
    if (newest === undefined)
      return wrong('ECB_RATES is a folder without .csv and .zip files: put one in, or correct it')
    const days = parseEcbFile(await newest.read(), dayOfDate(now))
    return ok(`ECB_RATES can be read: ${days.length} days in its newest file`)
  } catch (error) {
    return wrong(`ECB_RATES cannot be read (${reasonOf(error)}): ${cure}`)
  }
}

/** The code of the system or of the connection, whose messages name paths; of a file without sense, its first sentence. */
function reasonOf(error: unknown): string {
  const { code, cause, message } = Object(error)
  if (code !== undefined || cause !== undefined) return codeOf(error)
  return String(message).replace(/\.$/, '')
}
