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
  process.stdout.write('Installing the packages that package-lock.json names (once; about a minute) …\n')
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (result.status !== 0) end('npm ci failed; see above. Is the npm registry reachable?')
  requireNode()
  writeFileSync(stamp, wanted)
}

/**
 * npm silently skips an optional package that it cannot fetch. We check the `node` that will run the next step: npm puts
 * node_modules/.bin first on the path.
 */
function requireNode() {
  const { stdout } = spawnSync('node', ['--version'], { cwd: root, encoding: 'utf8' })
  if (Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) >= oldestMajor) return
  end(
    `npm installed no Node for ${process.platform} ${process.arch}. Where package-lock.json names one, look whether the ` +
      `npm registry is reachable; else install Node ${oldestMajor} or newer. Then start again.`,
  )
}

function end(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
