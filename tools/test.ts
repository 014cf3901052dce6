/**
 * `npm test`: every check; the last line counts them. Units and browser tests run beside each other, because a browser
 * often waits, and a unit seldom.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const reports = join(root, '.test')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

type Count = { passed: number; failed: number; skipped: number }
const total: Count = { passed: 0, failed: 0, skipped: 0 }
/** Repeated at the end, where people look for them. */
const failures: string[] = []
/** Duration of each test file, without loading its imports. */
const files: { name: string; ms: number }[] = []
const slowestShown = 10

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

await Promise.all([
  check('format and lint', bin('biome'), ['ci', '.', '--error-on-warnings']),
  // One checker takes half the work of several, which each read the types of the same packages; the rest fills the other core.
  check('types', bin('tsc'), ['--noEmit', '--checkers', '1']),
  check('types of the pure domain', bin('tsc'), ['-p', 'src/domain']),
  check('nothing unused', bin('knip'), []),
  // Both suites need it, and must not build it at once.
  check('web build', process.execPath, [
    '-e',
    "import('./tools/build-web.ts').then((web) => web.buildWeb())",
  ]),
  audit(),
])
await Promise.all([
  suite('laws, units and slices', ['run']),
  suite('the product in the browser', ['run', '--config', 'e2e/vitest.config.ts']),
])

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
const slowest = files.sort((a, b) => b.ms - a.ms).slice(0, slowestShown)
process.stdout.write(`\n— the ${slowest.length} slowest files\n`)
for (const { name, ms } of slowest)
  process.stdout.write(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}\n`)
for (const failure of failures) process.stdout.write(`\nFAILED: ${failure}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exitCode = total.failed === 0 ? 0 : 1

/** Runs a command to its end, and passes its output on piece by piece. */
function execute(command: string, args: string[], tell: (text: string) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', tell)
    child.once('error', reject)
    child.once('close', resolve)
  })
}

type Ended = { isGood: boolean; output: string }

async function run(name: string, command: string, args: string[], isShort: boolean): Promise<Ended> {
  const started = performance.now()
  let [output, kept] = ['', '']
  const status = await execute(command, args, (text) => {
    output += text
    kept += text
    if (isShort) return
    // Whole lines, because another suite writes between them.
    const end = kept.lastIndexOf('\n') + 1
    process.stdout.write(kept.slice(0, end))
    kept = kept.slice(end)
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const outcome = status === 0 ? 'passed' : 'FAILED'
  process.stdout.write(`\n— ${name}\n${kept}  ${name}: ${outcome} in ${seconds} s\n`)
  return { isGood: status === 0, output }
}

async function check(name: string, command: string, args: string[]): Promise<void> {
  const { isGood } = await run(name, command, args, true)
  if (isGood) total.passed += 1
  else fail(name)
}

function fail(what: string): void {
  total.failed += 1
  failures.push(what)
}

/** Known vulnerabilities in the shipped packages. If the registry has no advisories, we say that the question is open. */
async function audit(): Promise<void> {
  const name = 'known vulnerabilities'
  const npm = process.env['npm_execpath'] ?? 'npm'
  const [command, first] = npm.endsWith('.js') ? [process.execPath, [npm]] : [npm, []]
  const options = ['--omit=dev', '--audit-level=high', '--fetch-retries=0', '--fetch-timeout=10000', '--json']
  let output = ''
  const status = await execute(command, [...first, 'audit', ...options], (text) => {
    output += text
  })
  const isAnswered = /"auditReportVersion"/.test(output)
  const outcome = isAnswered
    ? status === 0
      ? 'passed'
      : 'FAILED'
    : 'not checked: the registry answers no audit'
  process.stdout.write(`\n— ${name}\n${isAnswered && status !== 0 ? output : ''}  ${name}: ${outcome}\n`)
  if (!isAnswered) total.skipped += 1
  else if (status === 0) total.passed += 1
  else fail(name)
}

/** A vitest run, counted test by test; a suite that ends badly without a failed test counts as one failure. */
async function suite(name: string, args: string[]): Promise<void> {
  const file = join(reports, `${name.replaceAll(/\W+/g, '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { isGood, output } = await run(name, bin('vitest'), [...args, ...reporters], false)
  const report = readReport(file)
  for (const { name, startTime, endTime } of report.testResults)
    files.push({ name: relative(root, name), ms: endTime - startTime })
  total.passed += report.numPassedTests
  total.skipped += report.numPendingTests
  const failed = report.testResults.flatMap(({ name, message, assertionResults }) => [
    ...assertionResults.flatMap((one) =>
      one.status === 'failed' ? `${one.fullName} (${name})\n${one.failureMessages.join('\n')}` : [],
    ),
    ...(message ? [`${name}\n${message}`] : []),
  ])
  for (const failure of failed) fail(failure)
  if (!isGood && failed.length === 0) fail(`${name}: failed outside of any test\n${outsideOfTests(output)}`)
}

/** What vitest said of errors outside of tests, which its report leaves out; else the last lines that it said. */
function outsideOfTests(output: string): string {
  const begin = output.indexOf('Unhandled Errors')
  return begin < 0 ? output.split('\n').slice(-40).join('\n') : output.slice(begin)
}

type Report = {
  numPassedTests: number
  numPendingTests: number
  testResults: {
    name: string
    startTime: number
    endTime: number
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

function readReport(file: string): Report {
  if (!existsSync(file)) return { numPassedTests: 0, numPendingTests: 0, testResults: [] }
  return JSON.parse(readFileSync(file, 'utf8')) as Report
}
