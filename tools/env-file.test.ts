import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runProcess } from '#test/cli/run-command.ts'

/** A copy of the reader, since the file that it reads stands beside the code. */
const folder = mkdtempSync(join(tmpdir(), 'tributary-env-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'tools'))
cpSync('tools/env-file.ts', join(folder, 'tools/env-file.ts'))
for (const name of ['src', 'node_modules', 'package.json'])
  symlinkSync(join(import.meta.dirname, '..', name), join(folder, name))

const authority = join(import.meta.dirname, '../test/outgoing/authority.pem')
const ask = (environment: Record<string, string>) => {
  const program = `await import('${join(folder, 'tools/env-file.ts')}')
    const { getCACertificates } = await import('node:tls')
    const more = getCACertificates('default').length - getCACertificates('bundled').length
    console.log(process.env.MAIL_FROM, process.env.LOG_LEVEL, more)`
  return runProcess(['--input-type=module', '--eval', program], environment)
}

it('takes settings and authorities of .env, unless the environment names them', async () => {
  expect(await ask({ LOG_LEVEL: 'warn' })).toMatchObject({ code: 0, out: 'undefined warn 0\n' })
  const lines = [
    'MAIL_FROM="Kim <kim@harbour.example>"',
    'LOG_LEVEL=debug',
    `NODE_EXTRA_CA_CERTS=${authority}`,
  ]
  writeFileSync(join(folder, '.env'), lines.join('\n'))
  expect(await ask({ LOG_LEVEL: 'warn' })).toMatchObject({ out: 'Kim <kim@harbour.example> warn 1\n' })
})

it('says in one line that .env names no authorities', async () => {
  writeFileSync(join(folder, '.env'), 'NODE_EXTRA_CA_CERTS=/none/such.pem\n')
  expect(await ask({})).toMatchObject({
    code: 2,
    error: expect.stringMatching(/^Tributary cannot .*: setting NODE_EXTRA_CA_CERTS: must be [^\n]*\n$/),
  })
})
