import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const sources = globSync('{src,test,e2e,tools,bench,prove}/**/*.{ts,tsx,js}').map((file) =>
  file.replaceAll('\\', '/'),
)
const generated = new Set(['src/server/store/postgres/tables.ts'])
const written = sources.filter((file) => !generated.has(file))
const documents = globSync('{README,ARCHITECTURE,CHANGELOG,SECURITY}.md').concat(globSync('docs/*.md'))

const lines = (file: string) => readFileSync(file, 'utf8').split('\n')

describe('the tree is tidy', () => {
  it('has no file over 300 lines, and a median under 90', () => {
    const lengths = written.map((file) => ({ file, count: lines(file).length - 1 }))
    expect(lengths.filter(({ count }) => count > 300)).toEqual([])
    const counts = lengths.map(({ count }) => count).sort((a, b) => a - b)
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThan(90)
  })

  it('has no drawer for odds and ends', () => {
    const drawer = /(^|\/)(utils?|helpers?|common|lib|misc|managers?|services?|base|shared|index)(\.|\/)/
    expect(
      written.filter((file) => drawer.test(file) && !/^src\/(contract|server\/api)\/service\.ts$/.test(file)),
    ).toEqual([])
  })

  it('reads clock, chance and environment only where it may', () => {
    const ambient = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b/
    const allowed =
      /^(src\/cli\/|src\/server\/(main|process)\.ts|src\/simulators\/stripe\/testing\/|tools\/|bench\/|prove\/|e2e\/|test\/|src\/web\/)|\.test\.tsx?$/
    const found = written
      .filter((file) => !allowed.test(file))
      .flatMap((file) =>
        lines(file).flatMap((line, index) => (ambient.test(line) ? `${file}:${index + 1}` : [])),
      )
    expect(found).toEqual([])
  })

  it('hears the errors of every connection, since one that nobody hears ends the process', () => {
    const found = sources.filter((file) => {
      const text = readFileSync(file, 'utf8')
      const opened = text.match(/new (?:pg\.(?:Client|Pool)|PgBoss)\((?!\{\s*db:)/g) ?? []
      return opened.length > (text.match(/\.on\('error'/g) ?? []).length
    })
    expect(found).toEqual([])
  })

  it('has hooks of tests only where every test file gets them', () => {
    const hook = /^(?:after|before)(?:Each|All)\(/m
    const found = sources.filter(
      (file) => !/\.test\.tsx?$/.test(file) && hook.test(readFileSync(file, 'utf8')),
    )
    const everywhere = ['no-leaks.ts', 'no-writes.ts', 'web/document.ts', 'web/no-bad-markup.ts']
    expect(found.sort()).toEqual(everywhere.map((name) => `test/${name}`))
  })

  it('has no test that waits for less than the settings say, since a busy machine must not fail it', () => {
    const wait = /(?:poll\(|waitFor\(|findBy\w*\(|= \{).*\btimeout: ([\d_]+)|^\s*\{?\s*timeout: ([\d_]+)/
    const isShort = (line: string) => {
      const [, ms, alone] = wait.exec(line) ?? []
      return /\bvi\.wait/.test(line) || Number((ms ?? alone ?? '60_000').replaceAll('_', '')) < 60_000
    }
    const tests = sources.filter((file) => /\.test\.tsx?$/.test(file))
    const found = tests.flatMap((file) =>
      lines(file)
        .filter(isShort)
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('takes the digits of a currency from its own table, since engines know others', () => {
    const own = sources.filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    const found = own.filter((file) => /style: 'currency'|resolvedOptions\(/.test(readFileSync(file, 'utf8')))
    expect(found.filter((file) => !readFileSync(file, 'utf8').includes('minorDigits('))).toEqual([])
  })

  it('lets browser tests wait for what may come later than the line that reads it', () => {
    const reads =
      'count|isVisible|isDisabled|isEnabled|isChecked|innerText|textContent|allTextContents|inputValue'
    const once = new RegExp(`expect(\\.soft)?\\(await .*\\.(${reads})\\(\\)`)
    const absent = /\.toBe\((0|false)\)$/
    const found = written
      .filter((file) => file.startsWith('e2e/'))
      .flatMap((file) => lines(file).filter((line) => once.test(line) && !absent.test(line)))
    expect(found).toEqual([])
  })

  it('turns no button of the library off: a StartButton keeps the focus of the keyboard', () => {
    // A quoted text or an expression in braces, which may hold others, ends before the next property.
    const value = '(?:"[^"]*"|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})'
    const off = new RegExp(
      `<(?:Button|ActionIcon|UnstyledButton)(?:\\s+[\\w-]+(?:=${value})?|\\s+${value})*?\\s+(?:loading|disabled)=`,
    )
    const found = written.filter(
      (file) => /^src\/web\/.*\.tsx$/.test(file) && off.test(readFileSync(file, 'utf8')),
    )
    expect(found).toEqual([])
  })

  it('turns no field off while it saves, which would take the focus of the keyboard', () => {
    const off =
      /(?<!<Menu .*)(?:\bdisabled=\{[^}]*isBusy|(?:\bdisabled|isDisabled)=\{[^}]*is(?:Pending|Saving))\b/
    const found = written
      .filter((file) => /^src\/web\/.*\.tsx$/.test(file))
      .flatMap((file) => lines(file).filter((line) => off.test(line)))
    expect(found).toEqual([])
  })

  it('makes each dialog from the one that gives the focus back', () => {
    const screens = written.filter((file) => /^src\/web\/.*\.tsx$/.test(file))
    const found = screens.filter((file) => /<Modal\b/.test(readFileSync(file, 'utf8')))
    expect(found).toEqual(['src/web/ui/dialogs/dialog.tsx'])
  })

  it('explains in comments of at most 40 words; the head of a file, which holds a decision, in 70', () => {
    const comment = /^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/ .*\n)+/gm
    const found = written.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(comment)].flatMap(({ 0: text, index }) => {
        const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
        return words > (index === 0 ? 70 : 40) ? [`${file}: ${words} words`] : []
      }),
    )
    expect(found).toEqual([])
  })

  it('gives each exported type a name of its own', () => {
    const names = written
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm)])
      .map(([, name]) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('names only paths that exist in its documents', () => {
    const named = documents.flatMap((document) =>
      [
        ...readFileSync(document, 'utf8').matchAll(
          /`((?:src|db|test|e2e|tools|bench|prove|docs)\/[^`*…{}<> ]+)`/g,
        ),
      ].map((match) => ({ document, path: (match[1] ?? '').replace(/#.*$/, '') })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ path }) => !existsSync(path))).toEqual([])
  })

  it('tells no change twice, as a merge of two branches can in the changelog', () => {
    const told = readFileSync('CHANGELOG.md', 'utf8')
      .split(/^(?:- |#)/m)
      .map((change) => change.replace(/\s+/g, ' ').trim())
    expect(told.filter((change, at) => change !== '' && told.indexOf(change) < at)).toEqual([])
  })

  it('tells in the changelog what the version of the package changed', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const told = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+) \(/gm)]
    expect(told.map(([, number]) => number)[0]).toBe(version)
  })

  it('locks every platform that its packages come for, so that a fresh clone installs anywhere', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    )
    expect(missing).toEqual([])
  })
})
