import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Locked = {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  resolved?: string
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

const free = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
])
/** Tools that only build or check the product; nothing of theirs is part of it. */
const toolsUnderOtherTerms = /^node_modules\/(axe-core|lightningcss(-[\w-]+)?)$/

/** Whether one choice of an SPDX expression consists of nothing but free licences. */
function isFree(expression: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => free.has(name)))
}

describe('the packages', () => {
  it('are all under a licence that lets us ship them', () => {
    const stated = packages.filter(([, { license }]) => license !== undefined)
    expect(stated.length).toBeGreaterThan(300)
    const others = stated.filter(
      ([path, { license = '', dev, devOptional, optional }]) =>
        !isFree(license) && !((dev || devOptional || optional) && toolsUnderOtherTerms.test(path)),
    )
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
  })

  it('state no licence only where they are another platform’s binaries of one that does', () => {
    const silent = packages.filter(([, { license }]) => license === undefined)
    expect(
      silent.filter(([path]) => !/^node_modules\/@(biomejs\/cli|oxc-parser\/binding)-/.test(path)),
    ).toEqual([])
  })

  it('are named by exact versions', () => {
    const named = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}),
    )
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('come from the npm registry alone', () => {
    const elsewhere = packages.filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    )
    expect(elsewhere.map(([path]) => path)).toEqual([])
  })
})
