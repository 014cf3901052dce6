/** Files that the unprivileged user of PostgreSQL can reach, where the product was started as root. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

export type Binaries = { initdb: string; postgres: string; pg_ctl: string }
export type RunAs = { uid: number; gid: number } | undefined

const usualShelf = '/var/lib/tributary'

/** The user that PostgreSQL runs as, because it refuses root; undefined if this process is not root. */
export function unprivilegedUser(): RunAs {
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

/** Whether every user may enter all folders of the path. */
function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A private home folder (mode 700) hides the packaged binaries from the unprivileged user, who then uses a copy. */
export function reachableBinaries(binaries: Binaries, copy: string, runAs: RunAs): Binaries {
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

/**
 * The same for the data: an unreachable folder becomes a link to a reachable one on the shelf, and a moved link leads on to
 * its database. Throws where a start would begin an empty one instead.
 */
export function reachableFolder(folder: string, runAs: RunAs, shelf = usualShelf): string {
  mkdirSync(dirname(folder), { recursive: true })
  const linked = linkAt(folder)
  if (linked !== undefined && dirname(linked) === shelf && existsSync(linked)) return moved(folder, linked)
  if (!runAs || isReachable(dirname(folder))) return folder
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(
      `The database in ${folder} was not made by root, and PostgreSQL, which never runs as root, cannot enter the folders ` +
        'above it. Start as the user that made it, or let everybody enter these folders (chmod o+x).',
    )
  const elsewhere = join(shelf, `${basename(aroundOf(folder))}-${fingerprint(folder)}`)
  mkdirSync(shelf, { recursive: true, mode: 0o755 })
  sweepOrphans(shelf)
  rmSync(elsewhere, { recursive: true, force: true })
  rmSync(folder, { force: true })
  noteOrigin(elsewhere, folder)
  symlinkSync(elsewhere, folder)
  return elsewhere
}

/** The database of a link, which may have another path now; never that of the folder from which the link was copied. */
function moved(folder: string, linked: string): string {
  const origin = originOf(linked).path
  if (origin !== folder && linkAt(origin) === linked)
    throw new Error(
      `${folder} is a copy of a link: its database belongs to ${origin}. Remove it, and carry the data over by backup and ` +
        'restore (docs/operations.md).',
    )
  if (origin !== folder) noteOrigin(linked, folder)
  return linked
}

/** Removes databases whose folder was removed: deleting `.data` deletes its database, at the latest at the next start. */
function sweepOrphans(shelf: string): void {
  for (const name of readdirSync(shelf).filter((each) => each.endsWith('.origin'))) {
    const cluster = join(shelf, name.slice(0, -'.origin'.length))
    if (!isRemoved(cluster)) continue
    for (const path of [cluster, `${cluster}.binaries`, `${cluster}.origin`])
      rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Whether a person removed the folder. It was only moved if the clone around it is another one now, or if a folder beside
 * it has the link to this database.
 */
function isRemoved(cluster: string): boolean {
  const { path, around } = originOf(cluster)
  const parent = aroundOf(path)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || around !== inodeOf(parent)) return false
  return readdirSync(parent).every((name) => linkAt(join(parent, name, basename(path))) !== cluster)
}

/** Notes for which folder the database is, and which folder is around its `.data`. */
function noteOrigin(cluster: string, path: string): void {
  writeFileSync(`${cluster}.origin`, `${path}\n${inodeOf(aroundOf(path))}`)
}

function originOf(cluster: string): { path: string; around: string | undefined } {
  const file = `${cluster}.origin`
  const [path = '', around] = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n')
  return { path, around }
}

const aroundOf = (path: string): string => dirname(dirname(path))

function inodeOf(path: string): string {
  return String(statSync(path, { throwIfNoEntry: false })?.ino)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function fingerprint(path: string): string {
  return createHash('sha256')
    .update(path)
    .update(String(statSync(dirname(path)).ino))
    .digest('hex')
    .slice(0, 12)
}
