import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-install-'))
  mkdirSync(join(folder, 'tools'))
  cpSync('tools/install.js', join(folder, 'tools/install.js'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeNode('system', 'v20.0.0')
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeNode(path: string, version: string): void {
  mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(folder, path, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
}

/** Installs with a fake npm, on a machine whose own Node is the one in `system`. */
function install(npm: string) {
  writeFileSync(
    join(folder, 'npm.js'),
    `import fs from 'node:fs'; fs.mkdirSync('node_modules', { recursive: true }); ${npm}`,
  )
  const path = [join(folder, 'node_modules/.bin'), join(folder, 'system'), '/usr/bin', '/bin'].join(delimiter)
  return spawnSync(process.execPath, ['tools/install.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: path, npm_execpath: join(folder, 'npm.js') },
  })
}
const isDone = () => existsSync(join(folder, 'node_modules/.installed-from'))
const bringsNode = `fs.mkdirSync('node_modules/.bin'); fs.cpSync('own/node', 'node_modules/.bin/node')`

describe('the installation', () => {
  it('is done once where the packages bring their Node', () => {
    writeNode('own', 'v24.0.0')
    expect(install(bringsNode)).toMatchObject({ status: 0, stderr: '' })
    expect(isDone()).toBe(true)
    expect(install(`throw new Error('called again')`)).toMatchObject({ status: 0, stdout: '' })
  })

  it('is not done where npm leaves the Node out and the machine has an older one', () => {
    const { status, stderr } = install('')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^npm installed no Node for .* install Node 24 or newer\. Then start again\.\n$/)
    expect(isDone()).toBe(false)
  })

  it('takes the Node of a machine whose platform the packages bring none for', () => {
    writeNode('system', 'v24.1.0')
    expect(install('')).toMatchObject({ status: 0, stderr: '' })
    expect(isDone()).toBe(true)
  })

  const locked = { a: { version: '1.0.0' }, b: { version: '2.0.0' }, c: { version: '3.0.0', optional: true } }
  /** As `npm ci` leaves it, but for what is named. */
  function installByHand(noted: Record<string, object>): void {
    const packagesOf = (of: Record<string, object>) =>
      JSON.stringify({
        packages: Object.fromEntries(Object.entries(of).map(([k, v]) => [`node_modules/${k}`, v])),
      })
    for (const name of 'abc') {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true })
      writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}')
    }
    writeNode('system', 'v24.0.0')
    writeFileSync(
      join(folder, 'package-lock.json'),
      packagesOf({ ...locked, d: { version: '4', optional: true } }),
    )
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), packagesOf(noted))
  }
  const noScripts = `if (process.argv[2] !== '--loglevel=error' || process.argv[3] !== 'rebuild') process.exit(1)`

  it('is content with what `npm ci` installed, but for scripts of packages, and optional ones', () => {
    const { c, ...needed } = locked
    installByHand(needed)
    expect(install(noScripts)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(isDone()).toBe(true)
  })

  it('replaces what is not as the lockfile has it', () => {
    const { a, ...less } = locked
    for (const noted of [less, { ...locked, a: { version: '1.0.1' } }]) {
      installByHand(noted)
      expect(install(noScripts).status).toBe(1)
    }
    installByHand(locked)
    const ofOtherPlatform = JSON.stringify({ packages: { 'node_modules/a': { ...a, os: ['plan9'] } } })
    for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
      writeFileSync(join(folder, file), ofOtherPlatform)
    expect(install(noScripts).status).toBe(1)
  })

  it('is tried again after npm has failed', () => {
    expect(install('process.exit(1)')).toMatchObject({ status: 1 })
    expect(isDone()).toBe(false)
  })
})
