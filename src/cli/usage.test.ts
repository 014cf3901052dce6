import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { tributary } from '#test/cli/run-command.ts'
import { asksForHelp, usageOf } from './usage.ts'

const source = readFileSync('src/cli/tributary.ts', 'utf8')
const commands = [...source.matchAll(/^ {2}async '?([\w-]+)'?\(/gm)].map(([, name]) => name ?? '')

it('says of every command what it does, and of nothing else', () => {
  expect(commands.length).toBeGreaterThan(10)
  for (const name of commands)
    expect(usageOf(name), name).toMatch(new RegExp(`^  ${name}\\b.*\\s{3,}\\w`, 's'))
  expect(usageOf('migrat')).toBeUndefined()
})

it('takes --help as a question wherever it stands, and behind -- as a name', () => {
  expect(asksForHelp(['b.backup', '--help'])).toBe(true)
  expect(asksForHelp(['-h'])).toBe(true)
  expect(asksForHelp(['--', '--help'])).toBe(false)
})

// No database listens at this address, so a command that starts to work fails with another message.
const settings = { DATABASE_URL: 'postgres://owner:password@127.0.0.1:9/x' }

it.concurrent.each([
  [['backup', '--help'], 0, /^ {2}backup FILE .*into a new file\n$/, /^$/],
  [
    ['worker', '--concurrency=8'],
    2,
    /^$/,
    /cannot do this: Unknown option '--concurrency'\n {2}worker .*\n$/,
  ],
  [['migrate', 'now'], 2, /^$/, /cannot do this: Unexpected argument 'now'\n {2}migrate .*\n$/],
  [['backup', 'a.backup', 'b.backup'], 2, /^$/, /Unexpected argument 'b.backup'\n {2}backup FILE/],
  [['backup'], 2, /^$/, /Missing argument\n {2}backup FILE/],
  [['outbound', 'maybe'], 2, /^$/, /Unexpected argument 'maybe'\n {2}outbound \[on\|off\]/],
  [['hubspot-app', 'x', '--distribution=all'], 2, /^$/, /There is no distribution all\n {2}hubspot-app/],
  [['nonsense'], 2, /^$/, /^There is no command nonsense\. These are there:\n\ntributary COMMAND\n/],
])('answers %j without doing anything', async (args, code, out, error) => {
  const ended = await tributary(args, settings)
  expect(ended).toMatchObject({ code, out: expect.stringMatching(out), error: expect.stringMatching(error) })
  expect(existsSync('--help')).toBe(false)
})

// /dev/full behaves like a file on a full disk.
it.runIf(existsSync('/dev/full')).concurrent.each([
  ['whose reader ended', '| true', /^0\n$/],
  ['on a full disk', '> /dev/full', /^Tributary cannot print this: ENOSPC[^\n]*\n1\n$/],
])('ends in one line at most with an output %s', async (_, to, told) => {
  const call = `(sleep 0.1; node src/cli/tributary.ts --help; echo $? >&2) ${to}`
  const shell = spawn('sh', ['-c', call], { stdio: ['ignore', 'ignore', 'pipe'] })
  expect(await text(shell.stderr)).toMatch(told)
})
