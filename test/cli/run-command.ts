import { spawn } from 'node:child_process'
import { bareEnvironment } from '../bare-environment.ts'

/** Runs a process to its end, or to its first line on stderr, with only the given environment. */
export async function runProcess(
  args: string[],
  environment: Record<string, string>,
  to: 'end' | 'first error' = 'end',
) {
  const child = spawn('node', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment, ...environment },
  })
  const text = { out: '', error: '' }
  child.stdout.on('data', (data) => (text.out += String(data)))
  child.stderr.on('data', (data) => {
    text.error += String(data)
    if (to === 'first error' && text.error.includes('\n')) child.kill('SIGKILL')
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, ...text }
}

/** Runs the `tributary` command. */
export const tributary = (args: string[], environment: Record<string, string>) =>
  runProcess(['src/cli/tributary.ts', ...args], environment)
