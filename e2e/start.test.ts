import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, temporaryFolder } from '../tools/postgres.ts'

const usualPorts = [3000, 54_320, 12_111, 12_112]
const parent = temporaryFolder('tributary-start-')
/** A copy of the code, so that nothing depends on its location. */
const folder = join(parent, 'a folder with spaces')
const code = ['src', 'tools', 'db', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']
const started: ChildProcess[] = []
const taken: Server[] = []

beforeAll(async () => {
  for (const name of code) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  for (const port of usualPorts) {
    const server = createServer()
    await new Promise<void>((done) =>
      server.once('error', () => done()).listen(port, '127.0.0.1', () => done()),
    )
    taken.push(server)
  }
})
afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
  for (const server of taken) server.close()
  rmSync(parent, { recursive: true, force: true })
})

type Start = { child: ChildProcess; text: () => string; exited: Promise<number | null> }

function start(
  environment: Record<string, string> = {},
  command: readonly string[] = [process.execPath, 'tools/start.ts'],
): Start {
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, text: () => text, exited: new Promise((done) => child.once('exit', done)) }
}

/** `npm run tributary` in the same folder, without a setting. */
async function tributary(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['tools/tributary.ts', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, output }
}

async function address({ text, child }: Start): Promise<string> {
  await expect
    .poll(() => /runs at\s+(\S+)/.exec(text())?.[1] ?? (child.exitCode === null ? '' : `ended: ${text()}`), {
      timeout: 90_000,
    })
    .not.toBe('')
  return /runs at\s+(\S+)/.exec(text())?.[1] ?? text()
}

/** The child processes of a start, the database among them. */
const processesOf = ({ child }: Start) => childrenOf(Number(child.pid))

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? [] : children.split(' ').map(Number)
}

const lives = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const isPostgres = (pid: number) => /bin\/postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))

describe.runIf(process.platform === 'linux')('npm start', () => {
  /** One installation, started again and again. */
  let running: Start
  const isHealthy = async (url: string) => expect((await fetch(`${url}/api/health`)).status).toBe(200)

  it('starts with its usual ports taken, says so to a second one, and gives its settings to the command', async () => {
    const metrics = await freePort()
    running = start({ METRICS_PORT: String(metrics) })
    const url = await address(running)
    for (const port of [metrics, metrics + 1])
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
        'tributary_database_up 1',
      )
    expect(usualPorts.map(String)).not.toContain(new URL(url).port)
    await isHealthy(url)
    expect(await (await fetch(`${url}/subscriptions`)).text()).toContain('<div id="root">')
    expect(running.text()).toContain('Demo sign-in')

    const second = start()
    expect(await second.exited).toBe(0)
    expect(second.text()).toContain(`already running at ${url}`)

    expect(await tributary('doctor')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\| database +\| ok /m),
    })
    expect(await tributary('backup', join(parent, 'kept.backup'))).toMatchObject({ code: 0 })
  })

  it('finds its own database when only the starter was killed', async () => {
    const processes = processesOf(running)
    expect(processes.length).toBeGreaterThanOrEqual(4)
    running.child.kill('SIGKILL')
    await running.exited
    running = start()
    await isHealthy(await address(running))
    await expect.poll(() => processes.filter(lives)).toEqual([])
  })

  it('goes on after everything was killed, with its data, stops whole on Ctrl-C, and can begin from a backup', async () => {
    const all = [...processesOf(running), Number(running.child.pid)]
    process.kill(Number(all.find(isPostgres)), 'SIGKILL')
    await expect.poll(running.text).toContain('PostgreSQL ended unexpectedly')
    for (const pid of all.filter(lives)) process.kill(pid, 'SIGKILL')
    await running.exited
    running = start()
    await isHealthy(await address(running))
    const processes = processesOf(running)
    // As of a `tee` that Ctrl-C ends first.
    running.child.stdout?.destroy()
    running.child.kill('SIGINT')
    expect(await running.exited).toBe(0)
    expect(processes.filter(lives)).toEqual([])
    renameSync(join(folder, '.data'), join(folder, '.data-before'))
    expect(await tributary('restore', join(parent, 'kept.backup'))).toMatchObject({
      code: 0,
      output: expect.stringContaining('were restored, as many as were backed up'),
    })
  })

  it('stops whole when the npm that starts it is killed', async () => {
    const early = start({ npm_lifecycle_event: 'start' }, [
      'sh',
      '-c',
      `'${process.execPath}' tools/start.ts & wait`,
    ])
    await expect.poll(early.text, { interval: 20 }).toContain('Bringing the database')
    const own = childrenOf(Number(early.child.pid))
    const processes = [...own, ...own.flatMap(childrenOf)]
    expect(processes.length).toBeGreaterThan(1)
    early.child.kill('SIGTERM')
    await expect.poll(() => processes.filter(lives)).toEqual([])
    expect(early.text()).not.toContain('runs at')
  })
})
