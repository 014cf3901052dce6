import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { RatesPort } from '../rates.ts'
import { unzipOnly } from './unzip-only.ts'

type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Response>

const timeoutMs = 60_000
/** The history of 1999 to 2026 has two megabytes unpacked. */
const maxBytes = 30_000_000

/** Reads the European Central Bank's file, as published or unpacked, from an address or from a file of the operator. */
export function createEcbRates({ place, fetch }: { place: string; fetch: Fetch }): RatesPort {
  const load = async (): Promise<Uint8Array> => {
    if (isAbsolute(place)) return readFile(place)
    const answer = await fetch(place, { signal: AbortSignal.timeout(timeoutMs) })
    if (!answer.ok) throw new Error(`the rates cannot be had: status ${answer.status}`)
    if (Number(answer.headers.get('content-length') ?? 0) > maxBytes)
      throw new Error('the file of rates is too large')
    return new Uint8Array(await answer.arrayBuffer())
  }
  return {
    async readHistory() {
      const bytes = await load()
      if (bytes.length > maxBytes) throw new Error('the file of rates is too large')
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
      return new TextDecoder().decode(isZip ? unzipOnly(bytes, maxBytes) : bytes)
    },
  }
}
