import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { paths } from '#web/paths.ts'
import { webSources } from '../tools/build-web.ts'

/** Contains no licence text; its author's text appears under react-remove-scroll. */
const withoutText = ['react-remove-scroll-bar']
/** Less than the shortest existing licence. */
const textFrom = 400

let chunks: Rolldown.OutputChunk[]
let packages: Map<string, string>
let notices: string
beforeAll(async () => {
  // As for users: the runner's own NODE_ENV would bring React's development build, of other sizes.
  vi.stubEnv('NODE_ENV', 'production')
  const built = await build({
    configFile: 'vite.config.ts',
    logLevel: 'silent',
    build: { write: false, reportCompressedSize: false },
  })
  vi.unstubAllEnvs()
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) =>
    'output' in each ? each.output : [],
  )
  chunks = outputs.filter((file) => file.type === 'chunk')
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  packages = new Map(modules.flatMap(packageOf))
  const file = outputs.find(({ fileName }) => `/${fileName}` === paths.notices)
  notices = file?.type === 'asset' ? String(file.source) : ''
}, 180_000)

/** The package that a file belongs to, with its version, in npm's folder layout. */
function packageOf(file: string): [string, string][] {
  const [, folder, name] = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? []
  if (folder === undefined || name === undefined || !existsSync(join(folder, 'package.json'))) return []
  return [[name, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version]]
}

describe('the notices of third parties', () => {
  it('name every package of the bundle, with the text of its licence', () => {
    expect(packages.size).toBeGreaterThan(30)
    const texts = new Map(notices.split(/^## /m).map((part) => [part.split(' (')[0], part]))
    const missing = [...packages].filter(([name, version]) => {
      const text = texts.get(`${name} - ${version}`)
      return text === undefined || (text.length < textFrom && !withoutText.includes(name))
    })
    expect(missing).toEqual([])
  })
})

describe('the files of the web app', () => {
  // In a circle, what was opened before decides which file runs first, and one may use what another has not made yet.
  it('import each other in no circle', () => {
    const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]))
    const reached = (from: string, known = new Set<string>()): Set<string> => {
      for (const next of imports.get(from) ?? []) {
        if (!known.has(next)) reached(next, known.add(next))
      }
      return known
    }
    expect(imports.size).toBeGreaterThan(20)
    expect([...imports.keys()].filter((file) => reached(file).has(file))).toEqual([])
  })

  it('are built anew when any file changes that they are made of', () => {
    const root = join(import.meta.dirname, '..')
    const used = chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => id.startsWith(join(root, 'src')))
      .map((id) => relative(root, id.split('?')[0] ?? id))
    expect(used.length).toBeGreaterThan(400)
    const watched = new Set(webSources())
    expect(used.filter((file) => !watched.has(file))).toEqual([])
  })

  it('load the chart library only where a chart is drawn', () => {
    const charts = chunks
      .filter(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/recharts/')))
      .map(({ fileName }) => fileName)
    expect(charts).toHaveLength(1)
    const users = chunks.filter(({ imports }) => imports.some((file) => charts.includes(file)))
    expect(users.map(({ name }) => name).sort()).toEqual(['mrr-analytics-screen', 'step-chart'])
  })
})
