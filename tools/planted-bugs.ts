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

function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-planted-'))
  cpSync(root, folder, { recursive: true, filter: (path) => path === root || !leftOut.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

let running: ChildProcess | undefined

/** Runs the named test of a file in the copy, alone; returns whether vitest was content. */
function runTest(folder: string, [file, test]: Bug['caughtBy'], args: string[]): Promise<boolean> {
  const config = file.startsWith('e2e/') ? ['--config', 'e2e/vitest.config.ts'] : []
  const named = test === '' ? [] : ['-t', test.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')]
  const program = join(folder, 'node_modules/vitest/vitest.mjs')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'run', ...config, file, ...named, ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
    running = child
    const timer = setTimeout(() => child.kill(), giveUpAfterMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

const sound = new Map<string, Promise<boolean>>()

/** Whether the test exists and passes without a bug, alone as it runs with one: else its failure shows nothing. */
function isSound(folder: string, caughtBy: Bug['caughtBy']): Promise<boolean> {
  const name = caughtBy.join(' > ')
  const known = sound.get(name) ?? passes(folder, caughtBy)
  sound.set(name, known)
  return known
}

type Report = { numPassedTests: number }

async function passes(folder: string, caughtBy: Bug['caughtBy']): Promise<boolean> {
  const path = join(folder, 'sound.json')
  rmSync(path, { force: true })
  const isContent = await runTest(folder, caughtBy, ['--reporter=json', `--outputFile=${path}`])
  if (!isContent) return false
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  return report.numPassedTests > 0
}

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
  try {
    return !(await runTest(folder, bug.caughtBy, ['--bail', '1']))
  } finally {
    writeFileSync(path, source)
  }
}

async function verdictOf(bug: Bug): Promise<'caught' | 'MISSED' | 'ITS TEST DOES NOT PASS'> {
  if (!(await isSound(folder, bug.caughtBy))) return 'ITS TEST DOES NOT PASS'
  return (await isCaught(folder, bug)) ? 'caught' : 'MISSED'
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
  for (const bug of wanted) {
    const begun = performance.now()
    const verdict = await verdictOf(bug)
    if (verdict === 'caught') caught += 1
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`${verdict}  ${bug.name} (${bug.caughtBy.join(' > ')}) ${seconds} s\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`\nplanted bugs: ${caught} of ${wanted.length} caught\n`)
process.exitCode = caught === wanted.length ? 0 : 1
