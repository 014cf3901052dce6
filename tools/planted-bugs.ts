/**
 * `npm run planted`: plants each bug of test/planted into a copy of the project and requires that its test fails, after
 * passing without the bug. Arguments select bugs whose name, or the path of whose test, contains each of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Bug } from '../test/planted/bug.ts'
import { bugs } from '../test/planted/bugs.ts'

const root = join(import.meta.dirname, '..')
const leftOut = new Set(['node_modules', '.git', '.data', '.test', 'dist'])
/** A mutant that loops for ever counts as caught. */
const giveUpAfterMs = 300_000
/** The run without a bug ends by itself; it takes minutes, and longer on a busy machine. */
const soundWithinMs = 3_600_000

function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-planted-'))
  cpSync(root, folder, { recursive: true, filter: (path) => path === root || !leftOut.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

let running: ChildProcess | undefined

/** Runs vitest in the copy; returns whether everything passed. */
function vitest(folder: string, files: string[], args: string[], withinMs = giveUpAfterMs): Promise<boolean> {
  const config = files.some((file) => file.startsWith('e2e/')) ? ['--config', 'e2e/vitest.config.ts'] : []
  const program = join(folder, 'node_modules/vitest/vitest.mjs')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'run', ...config, ...files, ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
    running = child
    const timer = setTimeout(() => child.kill(), withinMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

type Report = { testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[] }

/** The named tests that pass without a bug: a test that fails anyway, or does not exist, catches nothing. */
async function findSound(folder: string, wanted: readonly Bug[]): Promise<Set<Bug>> {
  const files = [...new Set(wanted.map(({ caughtBy: [file] }) => file))]
  const told: Report['testResults'] = []
  for (const group of [files.filter((file) => !isBrowser(file)), files.filter(isBrowser)]) {
    if (group.length === 0) continue
    const path = join(folder, 'sound.json')
    await vitest(folder, group, ['--reporter=json', `--outputFile=${path}`], soundWithinMs)
    const report: Report = JSON.parse(readFileSync(path, 'utf8'))
    told.push(...report.testResults)
  }
  return new Set(
    wanted.filter(({ caughtBy: [file, test] }) => {
      const results = told.find(({ name }) => name.endsWith(file))?.assertionResults ?? []
      const named = results.filter(({ fullName }) => fullName.includes(test))
      return named.length > 0 && named.every(({ status }) => status === 'passed')
    }),
  )
}

const isBrowser = (file: string) => file.startsWith('e2e/')

/** Whether the named test fails with the bug in place. */
async function isCaught(folder: string, bug: Bug): Promise<boolean> {
  const path = join(folder, bug.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(bug.text).length !== 2)
    throw new Error(`${bug.file} does not hold the text of: ${bug.name}`)
  writeFileSync(
    path,
    source.replace(bug.text, () => bug.replacement),
  )
  const [file, test] = bug.caughtBy
  const named = test === '' ? [] : ['-t', test.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')]
  try {
    return !(await vitest(folder, [file], [...named, '--bail', '1']))
  } finally {
    writeFileSync(path, source)
  }
}

const words = process.argv.slice(2)
const wanted = bugs.filter(({ name, caughtBy: [file] }) =>
  words.every((word) => name.includes(word) || file.includes(word)),
)
const folder = copyProject()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    running?.kill()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
let caught = 0
try {
  const sound = await findSound(folder, wanted)
  for (const bug of wanted) {
    const begun = performance.now()
    const isSound = sound.has(bug)
    const verdict =
      isSound && (await isCaught(folder, bug)) ? 'caught' : isSound ? 'MISSED' : 'ITS TEST DOES NOT PASS'
    if (verdict === 'caught') caught += 1
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`${verdict}  ${bug.name} (${bug.caughtBy.join(' > ')}) ${seconds} s\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`\nplanted bugs: ${caught} of ${wanted.length} caught\n`)
process.exitCode = caught === wanted.length ? 0 : 1
