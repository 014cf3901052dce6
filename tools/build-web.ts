import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/web')
const stamp = join(built, '.built-from')
/** Patterns of the files that the web app is built from. */
const sources = [
  'src/web/**/*.{ts,tsx,js,css,html,svg}',
  'src/contract/**/*.ts',
  'src/domain/**/*.ts',
  'vite.config.ts',
  'package-lock.json',
]

/**
 * Builds the web app if its sources have changed. It builds beside the old one, so that a running server never finds half
 * a build. Returns whether it built.
 */
export async function buildWeb(): Promise<boolean> {
  const hash = createHash('sha256').update('production')
  for (const file of webSources()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false
  const half = `${built}.${process.pid}`
  await forUsers(() =>
    build({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir: half } }),
  )
  writeFileSync(join(half, '.built-from'), wanted)
  rmSync(built, { recursive: true, force: true })
  renameSync(half, built)
  return true
}

/** The files whose change makes a new build, from the root of the project. */
export function webSources(): string[] {
  return sources.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
}

/** A test runner sets NODE_ENV, and React would then use its development build, which mounts everything twice. */
async function forUsers(work: () => Promise<unknown>): Promise<void> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}
