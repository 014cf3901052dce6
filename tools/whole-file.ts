import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes the file whole or not at all, even if the power fails: under another name first, then renamed. Both the
 * bytes and the new name are on the disk when it returns.
 */
export function writeWhole(file: string, text: string): void {
  const half = `${file}.half`
  writeFileSync(half, text, { mode: 0o600, flush: true })
  renameSync(half, file)
  // Windows cannot open a folder, and keeps its names safe by itself.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The object in a JSON file, undefined without one. Throws an Error that says `cure` if the file is damaged. */
export function readWhole(file: string, cure: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Error(`${file} is damaged. ${cure}`)
}
