/** What `npm start` leaves in its folder while it runs: its process, its address, and the settings it provides. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readWhole, writeWhole } from './whole-file.ts'

/** The folder of the data of `npm start`. */
export const dataFolder = process.env['TRIBUTARY_DATA'] ?? join(import.meta.dirname, '../.data')
const file = join(dataFolder, 'running.json')

type Running = {
  pid: number
  /** Known once the server answers. */
  address?: string
  /** The settings that the environment did not give, such as DATABASE_URL of the embedded database. */
  settings?: Record<string, string>
}

export function noteRunning(running: Running): void {
  writeWhole(file, JSON.stringify(running))
}

export function forgetRunning(): void {
  rmSync(file, { force: true })
}

/** The `npm start`, or the command on its database, that runs on the folder; undefined if none does. Throws an Error if its note is damaged. */
export function findRunning(): Running | undefined {
  const noted = readWhole(file, 'If no Tributary runs on this folder, remove the file and start again.')
  if (!noted || typeof noted['pid'] !== 'number' || !isTributary(noted['pid'])) return undefined
  return noted as Running
}

/** Whether the process exists and is ours: after a kill, another program may have its number. */
function isTributary(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const commandLine = `/proc/${pid}/cmdline`
  return !existsSync(commandLine) || /(?:start|tributary)\.ts/.test(readFileSync(commandLine, 'utf8'))
}
