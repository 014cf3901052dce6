import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { openLogFile } from './log-file.ts'

const root = join(import.meta.dirname, '..')
const readyWithinMs = 60_000
const stopWithinMs = 12_000

export type Child = {
  name: string
  process: ChildProcess
  /** The data that the process sent with its ready message. */
  ready: Record<string, unknown>
  stop(): Promise<void>
}

/**
 * Starts a process of the product with its output in a file, and waits until it is ready. It has its own process group,
 * so that Ctrl-C reaches only the starter, which stops the parts in order.
 */
export function startChild(options: {
  name: string
  args: string[]
  environment: Record<string, string>
  logFile: string
  say: (line: string) => void
}): Promise<Child> {
  const output = openLogFile({
    path: options.logFile,
    onDrop: (reason) => options.say(`The log of the ${options.name} loses lines: ${reason}.`),
  })
  const child = spawn(process.execPath, options.args, {
    cwd: root,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => output.write(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
    output.write(text)
  })
  return new Promise((done, failed) => {
    const impatience = setTimeout(() => {
      child.kill('SIGKILL')
      failed(
        new Error(`${options.name} was not ready within ${readyWithinMs / 1000} s; see ${options.logFile}`),
      )
    }, readyWithinMs)
    // After the last output, which comes later than the exit.
    child.once('close', (code) => {
      clearTimeout(impatience)
      const told = /^Tributary cannot [^:]+: (.+)$/m.exec(errors)?.[1]
      failed(
        new Error(told ?? `${options.name} ended with code ${code} while starting; see ${options.logFile}`),
      )
    })
    child.on('message', (message: Record<string, unknown>) => {
      if (!message?.['ready']) return
      clearTimeout(impatience)
      done({ name: options.name, process: child, ready: message, stop: () => stopChild(child) })
    })
  })
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  await ended
  clearTimeout(impatience)
}
