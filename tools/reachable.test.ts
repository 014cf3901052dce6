import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { reachableFolder } from './reachable.ts'
import { reasonIn } from './until-ready.ts'

const root = mkdtempSync(join(tmpdir(), 'tributary-reachable-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const runAs = { uid: 65_534, gid: 65_534 }
let home = ''
let shelf = ''
/** The folder of a clone in a home that nobody else may enter, with the database that its start makes. */
const place = (clone: string, data = '.data') =>
  reachableFolder(join(home, clone, data, 'postgres'), runAs, shelf)
const start = (clone: string, data?: string) => {
  const database = place(clone, data)
  mkdirSync(database, { recursive: true })
  writeFileSync(join(database, 'PG_VERSION'), '18')
  return database
}
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'))
  chmodSync(home, 0o700)
  shelf = join(home, 'shelf')
})

describe('the database of a folder that its user cannot reach', () => {
  it('stands on the shelf, and is found again', () => {
    const database = start('clone')
    expect(dirname(database)).toBe(shelf)
    expect(readlinkSync(join(home, 'clone/.data/postgres'))).toBe(database)
    expect(place('clone')).toBe(database)
  })

  it('goes with its folder wherever that is moved, whatever starts meanwhile', () => {
    const database = start('clone')
    renameSync(join(home, 'clone/.data'), join(home, 'clone/.data-before'))
    expect(start('clone')).not.toBe(database)
    expect(place('clone', '.data-before')).toBe(database)
    renameSync(join(home, 'clone'), join(home, 'older'))
    start('clone')
    expect(place('older', '.data-before')).toBe(database)
    expect(existsSync(join(database, 'PG_VERSION'))).toBe(true)
  })

  it('is removed after its folder was', () => {
    const database = start('clone')
    rmSync(join(home, 'clone/.data'), { recursive: true })
    start('other')
    expect(existsSync(database)).toBe(false)
  })

  it('is not shared with a copy of the link', () => {
    const database = start('clone')
    mkdirSync(join(home, 'copy/.data'), { recursive: true })
    symlinkSync(database, join(home, 'copy/.data/postgres'))
    expect(() => place('copy')).toThrow(`its database belongs to ${join(home, 'clone/.data/postgres')}`)
  })

  it('is never a new one beside that of another user', () => {
    mkdirSync(join(home, 'clone/.data/postgres'), { recursive: true })
    expect(() => place('clone')).toThrow('Start as the user that made it')
  })
})

it.each([
  [
    '2026-01-01 [7] FATAL:  database files are incompatible with server\n2026-01-01 [7] DETAIL:  The data directory was initialized by PostgreSQL version 17.\n',
    'database files are incompatible with server. The data directory was initialized by PostgreSQL version 17.',
  ],
  [
    'postgres: could not access the server configuration file\n',
    'could not access the server configuration file',
  ],
  ['', 'it ended with code 1'],
])('PostgreSQL says why it does not start: %j', (told, reason) => expect(reasonIn(told, 1)).toBe(reason))
