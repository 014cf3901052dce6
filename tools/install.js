// Runs before `npm start` and `npm test` on whatever Node there is (20 or newer): installs what the lockfile names when
// that is missing or stale. Plain JavaScript, since the Node that runs TypeScript is itself one of the dependencies.
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

if (installed !== wanted) {
  process.stdout.write('Installing the packages that package-lock.json names (once; about a minute) …\n')
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (result.status !== 0) {
    process.stderr.write('npm ci failed; see above. Is the npm registry reachable?\n')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
