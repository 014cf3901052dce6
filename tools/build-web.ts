import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/web/.built-from')
const sources = [
  'src/web/**/*.{ts,tsx,css,html,svg}',
  'src/contract/*.ts',
  'src/domain/**/*.ts',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the web app when something that it is made of has changed. Returns whether it had to. */
export async function buildWeb(): Promise<boolean> {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'error' })
  writeFileSync(stamp, wanted)
  return true
}
