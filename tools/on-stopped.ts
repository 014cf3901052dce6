import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#cli/make-folder.ts'
import { asksForHelp } from '#cli/usage.ts'
import { isLive } from '#server/config.ts'
import { simulated } from './check-settings.ts'
import { createOwnedDatabase } from './owned-database.ts'
import { startCluster } from './postgres.ts'
import { databaseName, readSecrets } from './product.ts'
import { dataFolder, forgetRunning, noteRunning } from './running.ts'

const command = join(import.meta.dirname, '../src/cli/tributary.ts')
const database = join(dataFolder, 'postgres')

/** Commands on the database, which need no provider. */
const onDatabase = [
  ...['migrate', 'backup', 'restore', 'partition', 'outbound'],
  ...['rotate-keys', 'revoke-all', 'second-factor-off', 'make-owner', 'release-domain', 'erasures'],
]

/** Whether the command works on the embedded database, also where nothing runs; only a restore begins one. */
export function worksOnOwn(args: readonly string[]): boolean {
  const [name = ''] = args
  if (asksForHelp(args)) return false
  const isKnown = onDatabase.includes(name) || (name === 'doctor' && isLive(process.env))
  return isKnown && (name === 'restore' || existsSync(database))
}

/** Runs the command on the embedded database, which is started for it and stopped after it. Returns its exit code. */
export async function runStopped(args: readonly string[]): Promise<number> {
  makeFolder(dataFolder)
  const isNew = !existsSync(database)
  const { postgresPassword, sealKeys } = readSecrets(dataFolder)
  noteRunning({ pid: process.pid })
  let code = 1
  try {
    const cluster = await startCluster({ folder: database, password: postgresPassword })
    try {
      const url = await createOwnedDatabase(cluster, databaseName)
      const own = isLive(process.env) ? {} : { ...simulated, SEAL_KEYS: sealKeys }
      code = await run(args, { ...own, DATABASE_URL: url })
    } finally {
      await cluster.stop()
    }
  } finally {
    forgetRunning()
    // So that a restore that failed can be tried again.
    if (isNew && code !== 0) rmSync(database, { recursive: true, force: true })
  }
  return code
}

async function run(args: readonly string[], own: Record<string, string>): Promise<number> {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
  const child = spawn(process.execPath, [command, ...args], { env: { ...own, ...given }, stdio: 'inherit' })
  // The terminal interrupts the command too; the database is stopped after it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return await new Promise((done) => child.once('close', (code) => done(code ?? 1)))
}
