import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ruleBook } from '../mrr/rule-book/all.ts'
import { bugs } from './bugs.ts'

const read = (file: string) => readFileSync(file, 'utf8')

/** The tables of cases: in a folder named like their test, beside it or under test/mrr. */
function tablesOf(file: string): string {
  const own = file.replace(/\.test\.tsx?$/, '')
  const folders = [own, join('test/mrr', basename(own))].filter((folder) => existsSync(folder))
  return folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((table) => table.endsWith('.ts'))
    .map(read)
    .join('')
}

/** These files compose the names of their cases at run time, so only the words of a name can be found in them. */
const composed = new Set([
  'src/cli/newer-database.test.ts',
  'src/cli/replay-public-accounts.test.ts',
  'src/cli/wrong-settings.test.ts',
  'src/domain/mrr/rule-book.test.ts',
  'src/server/api/connections/connection-roles.test.ts',
  'src/server/api/unchanged.test.ts',
  'src/server/database-clock.test.ts',
  'src/server/providers/identity/verified-address.test.ts',
  'src/server/work/push/scenarios/unchanged.test.ts',
  'test/safety/http.test.ts',
  'test/safety/roles.test.ts',
])

const ruleBookTest = 'src/domain/mrr/rule-book.test.ts'

/** The name of a test of the rule book as Vitest shows and seeks it: cut to forty characters. */
const shownName = (name: string) => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

describe('the planted bugs', () => {
  it('are enough, and each of its own', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(30)
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length)
  })

  it.each(bugs)('$name: can still be planted', ({ file, text, replacement }) => {
    expect(read(file).split(text)).toHaveLength(2)
    expect(text).not.toBe(replacement)
  })

  it.each(bugs)('$name: has its test', ({ caughtBy: [file, test] }) => {
    const source = read(file) + tablesOf(file)
    const sought = composed.has(file) ? test.split(' ').filter((word) => /^[a-z]{3,}$/.test(word)) : [test]
    expect(sought.filter((text) => !source.includes(text))).toEqual([])
    if (file !== ruleBookTest) return
    expect(ruleBook.map(({ rule, name }) => `${rule} ${shownName(name)}`).join('\n')).toContain(test)
  })
})
