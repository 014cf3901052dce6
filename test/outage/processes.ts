import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '../bare-environment.ts'

export type Part = {
  /** Kills it as a crash would, and starts it again after `awayMs`; resolves when it reports that it is ready. */
  killAndStart(awayMs?: number): Promise<void>
  /** Suspends it for a time, like an overloaded machine. */
  freeze(ms: number): Promise<void>
  isAlive(): boolean
  output(): string
  stop(): Promise<void>
}

/** One of the product's processes, with its output watched. */
export async function startPart(args: string[], environment: Record<string, string>): Promise<Part> {
  let output = ''
  const start = async (): Promise<ChildProcess> => {
    const child = spawn('node', args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...bareEnvironment, ...environment },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        output = (output + String(data)).slice(-200_000)
      })
    }
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`it ended: ${output.slice(-2_000)}`)),
    )
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => {})
    return child
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  let child = await start()
  return {
    async killAndStart(awayMs = 0) {
      await end('SIGKILL')
      await sleep(awayMs)
      child = await start()
    },
    async freeze(ms) {
      const frozen = child
      frozen.kill('SIGSTOP')
      await sleep(ms)
      frozen.kill('SIGCONT')
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    stop: () => end('SIGKILL'),
  }
}
