import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { RatesPort } from '../rates.ts'
import { unzipOnly } from './unzip-only.ts'

type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Response>

const timeoutMs = 60_000
/** The history of 1999 to 2026 has two megabytes unpacked. */
const maxBytes = 30_000_000
/** A folder keeps one file for all days, or one for each day of a few years. */
const filesMax = 1_000

/**
 * Reads the European Central Bank's file, as published or unpacked, from an address, or from a file of the operator, or
 * all files in a folder of theirs.
 */
export function createEcbRates({ place, fetch }: { place: string; fetch: Fetch }): RatesPort {
  const load = async (): Promise<Uint8Array> => {
    const answer = await fetch(place, { signal: AbortSignal.timeout(timeoutMs) })
    if (!answer.ok) throw new Error(`the rates cannot be had: status ${answer.status}`)
    if (Number(answer.headers.get('content-length') ?? 0) > maxBytes)
      throw new Error('the file of rates is too large')
    return new Uint8Array(await answer.arrayBuffer())
  }
  return {
    isOwn: isAbsolute(place),
    async listFiles() {
      if (!isAbsolute(place)) return [{ name: place, read: async () => textOf(await load()) }]
      const paths = await filesOf(place)
      return paths.map((path) => ({
        name: basename(path),
        read: async () => textOf(await readFile(path)),
      }))
    },
  }
}

/** The files of rates in a folder, that which was written last at the end; or the path itself. */
async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => /\.(csv|zip)$/i.test(name)).sort()
  if (names.length > filesMax) throw new Error(`the folder of rates has more than ${filesMax} files`)
  const files = await Promise.all(names.map((name) => writtenAt(join(path, name))))
  return files.toSorted((one, other) => one.at - other.at).map((file) => file.path)
}

/** A link to nothing has no time; reading it tells what is wrong. */
async function writtenAt(path: string): Promise<{ path: string; at: number }> {
  const known = await stat(path).catch(() => null)
  return { path, at: known?.mtimeMs ?? 0 }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw new Error('the file of rates is too large')
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  return new TextDecoder().decode(isZip ? unzipOnly(bytes, maxBytes) : bytes)
}
