/** The `tributary` command. Each subcommand is a module that is loaded only when requested. */
import { parseArgs } from 'node:util'
import { oneLine } from './one-line.ts'
import { asksForHelp, faultOfCall, onlyWord, usage, usageOf, wordsOf } from './usage.ts'

const flag = { type: 'boolean', default: false } as const

/** Each command returns its exit code; a worker and the simulators go on after that. */
const commands: Readonly<Record<string, (args: string[]) => number | Promise<number>>> = {
  async replay(args) {
    const { replay } = await import('./replay.ts')
    return replay(args)
  },
  async simulators(args) {
    const { simulators } = await import('./simulators.ts')
    const { values } = parseArgs({
      args,
      options: {
        world: { type: 'string' },
        'stripe-port': { type: 'string' },
        'hubspot-port': { type: 'string' },
        data: { type: 'string' },
        customers: { type: 'string' },
      },
    })
    await simulators(values)
    return 0
  },
  async worker(args) {
    wordsOf(args, 0)
    const { worker } = await import('./worker.ts')
    await worker()
    return 0
  },
  async migrate(args) {
    wordsOf(args, 0)
    const { migrateDatabase } = await import('./migrate.ts')
    return await migrateDatabase()
  },
  async backup(args) {
    const file = onlyWord(wordsOf(args, 1))
    const { backup } = await import('./backup.ts')
    return await backup(file)
  },
  async restore(args) {
    const file = onlyWord(wordsOf(args, 1))
    const { restore } = await import('./backup.ts')
    return await restore(file)
  },
  async 'hubspot-app'(args) {
    const { writeHubspotApp } = await import('./hubspot-app.ts')
    const { values, positionals } = parseArgs({
      args,
      options: { distribution: { type: 'string', default: 'private' } },
      allowPositionals: true,
    })
    return writeHubspotApp(onlyWord(positionals), values.distribution)
  },
  async probe(args) {
    const { probe } = await import('./probe.ts')
    const { values, positionals } = parseArgs({ args, options: { live: flag }, allowPositionals: true })
    return await probe(onlyWord(positionals), values.live)
  },
  async partition(args) {
    const { partition } = await import('./partition.ts')
    const { values } = parseArgs({ args, options: { parts: { type: 'string', default: '8' }, undo: flag } })
    return await partition(values)
  },
  async doctor(args) {
    const { doctor } = await import('./doctor.ts')
    const { values } = parseArgs({ args, options: { all: flag } })
    return await doctor(values)
  },
  async outbound(args) {
    const [to] = wordsOf(args, 1)
    const { switchOutbound } = await import('./outbound.ts')
    return await switchOutbound(to)
  },
  async 'rotate-keys'(args) {
    const { rotateStoredKeys } = await import('./rotate-keys.ts')
    const { values } = parseArgs({ args, options: { check: flag, all: flag } })
    return await rotateStoredKeys(values)
  },
  async 'revoke-all'(args) {
    const { revokeEverything } = await import('./revoke-all.ts')
    const { values } = parseArgs({ args, options: { yes: flag, 'at-hubspot': flag, 'key-lost': flag } })
    return await revokeEverything({
      isConfirmed: values.yes,
      atHubspot: values['at-hubspot'],
      isKeyLost: values['key-lost'],
    })
  },
  async 'second-factor-off'(args) {
    const email = onlyWord(wordsOf(args, 1))
    const { turnSecondFactorOff } = await import('./account-help.ts')
    return await turnSecondFactorOff(email)
  },
  async 'make-owner'(args) {
    const words = wordsOf(args, 2)
    const { appointOwner } = await import('./account-help.ts')
    return await appointOwner(onlyWord(words.slice(0, 1)), words[1])
  },
  async 'release-domain'(args) {
    const domain = onlyWord(wordsOf(args, 1))
    const { releaseClaim } = await import('./release-domain.ts')
    return await releaseClaim(domain)
  },
  async erasures(args) {
    const [verb, file] = wordsOf(args, 2)
    const { erasures } = await import('./erasures.ts')
    return await erasures(verb, file)
  },
}

const [command = '', ...args] = process.argv.slice(2)
if (command !== 'worker') hearStdout()
const run = Object.hasOwn(commands, command) ? commands[command] : undefined

if (run === undefined) {
  const isAsked = ['', 'help', '--help', '-h'].includes(command)
  if (!isAsked) process.stderr.write(`There is no command ${command}. These are there:\n\n`)
  process[isAsked ? 'stdout' : 'stderr'].write(usage)
  process.exitCode = isAsked ? 0 : 2
} else if (asksForHelp(args)) {
  process.stdout.write(usageOf(command) ?? usage)
} else {
  try {
    process.exitCode = await run(args)
  } catch (error) {
    const fault = faultOfCall(error)
    process.stderr.write(`Tributary cannot do this: ${fault ?? oneLine(error)}\n`)
    if (fault !== undefined) process.stderr.write(usageOf(command) ?? '')
    // What still runs, such as a pool of connections, must not keep a failed command alive.
    process.exit(fault === undefined ? 1 : 2)
  }
}

/**
 * Lets a reader end before the command, as `head` does: what was begun goes on. Without this, Node ends the process at the
 * next line. A worker's log has a stream of its own, which this one would disturb.
 */
function hearStdout(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`Tributary cannot print this: ${oneLine(error)}\n`)
    process.exit(1)
  })
}
