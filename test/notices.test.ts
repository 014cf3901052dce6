import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { paths } from '#web/paths.ts'

/** Contains no licence text; its author's text appears under react-remove-scroll. */
const withoutText = ['react-remove-scroll-bar']
/** Less than the shortest existing licence. */
const textFrom = 400

let packages: Map<string, string>
let notices: string
beforeAll(async () => {
  const built = await build({
    configFile: 'vite.config.ts',
    logLevel: 'silent',
    build: { write: false, minify: false, reportCompressedSize: false },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) =>
    'output' in each ? each.output : [],
  )
  const modules = outputs.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
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
