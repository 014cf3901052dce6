/** `npm run tributary`: the command. Without DATABASE_URL it works on the database of `npm start`, running or not. */
import './env-file.ts'
import { oneLine } from '#cli/one-line.ts'
import { findRunning } from './running.ts'

const args = process.argv.slice(2)

try {
  const isDone = !process.env['DATABASE_URL'] && (await workOnOwn())
  if (!isDone) await import('#cli/tributary.ts')
} catch (error) {
  process.stderr.write(`Tributary cannot do this: ${oneLine(error)}\n`)
  process.exit(1)
}

/** Takes the settings of a running product, or does the command on a stopped one; returns whether it did. */
async function workOnOwn(): Promise<boolean> {
  const running = findRunning()
  for (const [name, value] of Object.entries(running?.settings ?? {})) process.env[name] ||= value
  if (running?.settings !== undefined) return false
  const { runStopped, worksOnOwn } = await import('./on-stopped.ts')
  if (!worksOnOwn(args)) return false
  if (running !== undefined)
    throw new Error(`process ${running.pid} is at work on the same data; try again when it is done`)
  process.exitCode = await runStopped(args)
  return true
}
