import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'dist/web')

/** The compressed size of what the page fetches before its first screen, and the screens that it loads too early. */
export function measureBundle(): { entryKb: number; stylesKb: number; screens: number; eager: string[] } {
  const scripts = withImports(assetsOf('js'))
  const screens = globSync('src/web/screens/**/*-screen.tsx', { cwd: root }).map((file) =>
    basename(file, '.tsx'),
  )
  const chunks = globSync('assets/*.js', { cwd: built }).map((file) => basename(file))
  return {
    entryKb: sizeKb(scripts),
    stylesKb: sizeKb(assetsOf('css')),
    screens: screens.length,
    // A lazy screen is a file of its own that nothing of the entry imports.
    eager: screens.filter((screen) => {
      const chunk = chunks.find((name) => name.startsWith(`${screen}-`))
      return chunk === undefined || scripts.includes(`assets/${chunk}`)
    }),
  }
}

/** The files that index.html names. */
function assetsOf(extension: string): string[] {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].flatMap(([, file = '']) =>
    file.endsWith(`.${extension}`) ? [file] : [],
  )
}

/** Files with all their static imports, which the browser must wait for. */
function withImports(files: string[]): string[] {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const text = readFileSync(join(built, file), 'utf8')
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)) add(`assets/${name}`)
  }
  for (const file of files) add(file)
  return [...found]
}

function sizeKb(files: string[]): number {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0)
  return Math.round(bytes / 100) / 10
}
