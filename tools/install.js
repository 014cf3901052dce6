// Runs before `npm start` and `npm test` on any Node from version 20: installs the locked packages if they are missing or
// outdated. Plain JavaScript, because the Node that runs TypeScript is itself one of the packages.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules/.installed-from')
const lock = readFileSync(join(root, 'package-lock.json'))
const wanted = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''

/** The oldest Node that can run the product itself, for platforms that the packages do not cover. */
const oldestMajor = 24

if (installed !== wanted) {
  if (!isInstalledByNpm() || !hasNode()) {
    process.stdout.write('Installing the packages that package-lock.json names (once; about a minute) …\n')
    if (!runNpm('ci', '--no-audit', '--no-fund'))
      end('npm ci failed; see above. Is the npm registry reachable?')
    if (!hasNode())
      end(
        `npm installed no Node for ${process.platform} ${process.arch}. Where package-lock.json names one, look whether the ` +
          `npm registry is reachable; else install Node ${oldestMajor} or newer. Then start again.`,
      )
  }
  writeFileSync(stamp, wanted)
}

/**
 * Whether somebody ran `npm ci` already. npm notes what it installed, each package as the lockfile has it. Optional ones
 * may be missing. Scripts of packages run again, in case npm was told to skip them.
 */
function isInstalledByNpm() {
  const isSame = (one, other) => one.version === other.version && one.integrity === other.integrity
  const fits = (list, own) => !list || [list].flat().includes(own)
  const { '': _, ...locked } = JSON.parse(lock).packages ?? {}
  const noted = readNote()
  return (
    Object.keys(noted).length > 0 &&
    Object.keys(noted).every((path) => path in locked && existsSync(join(root, path, 'package.json'))) &&
    Object.entries(locked).every(([path, one]) =>
      path in noted
        ? isSame(noted[path], one) && fits(one.os, process.platform) && fits(one.cpu, process.arch)
        : one.optional,
    ) &&
    runNpm('rebuild', '--silent')
  )
}

function readNote() {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages
  } catch {
    return {}
  }
}

function runNpm(...words) {
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const { status } = spawnSync(command, [...first, '--loglevel=error', ...words], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  return status === 0
}

/**
 * npm silently skips an optional package that it cannot fetch. We check the `node` that will run the next step: npm puts
 * node_modules/.bin first on the path.
 */
function hasNode() {
  const { stdout } = spawnSync('node', ['--version'], { cwd: root, encoding: 'utf8' })
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= oldestMajor
}

function end(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
