/** The `tributary` command. Each subcommand is a module that is loaded only when requested. */
import { parseArgs } from 'node:util'
import { oneLine } from './one-line.ts'

const usage = `tributary COMMAND

  replay [--receipts] FILE…   MRR events of files with the payment provider's objects, one JSON line a file
  simulators [--world=FILE] [--stripe-port=N] [--hubspot-port=N] [--data=FOLDER]
                              the simulated Stripe and HubSpot alone
  worker                      works on imports and pushes; start as many as you like on one database
  migrate                     brings the database of DATABASE_URL up to date
  backup FILE                 writes all that the database of DATABASE_URL holds into a new file
  restore FILE                fills the empty database of DATABASE_URL from such a file; calls to the providers stay off
  hubspot-app FOLDER [--distribution=private|marketplace]
                              writes the files of this installation's HubSpot app, and says how to upload them
  probe [--live] FILE         asks test accounts what no document says (PROBE_STRIPE_KEY, PROBE_HUBSPOT_KEY), and writes
                              a table that can be sent
  partition [--parts=8]       divides the tables of the database by organization, while no server or worker runs; when it
                              was interrupted, go on by the same command, or take it back by --undo
  doctor [--all]              looks at settings, clocks, database, connections, mail and sign-in, and says what is wrong;
                              --all asks the connections of every organization, not of the newest ten
  outbound [on|off]           tells whether Stripe, HubSpot and the mail server are called, and switches it
  rotate-keys [--check] [--all]
                              seals stored secrets again under the newest key of SEAL_KEYS; --check only counts them
                              by version, --all gives every secret a new data key
  revoke-all --yes [--at-hubspot] [--key-lost]
                              for the bad day: ends all sessions, invitations, connections and running work; --key-lost
                              also forgets how to recognize erased people where SEAL_KEYS does not open that
  release-domain DOMAIN       takes the claim of a domain away from the organization that has it; its owners are told
  erasures export|apply FILE  the list of who was erased and what was deleted, as keyed hashes; applied after the restore
                              of an older backup it erases and deletes them again
`

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
  async worker() {
    const { worker } = await import('./worker.ts')
    await worker()
    return 0
  },
  async migrate() {
    const { migrateDatabase } = await import('./migrate.ts')
    return await migrateDatabase()
  },
  async backup([file]) {
    const { backup } = await import('./backup.ts')
    return await backup(file)
  },
  async restore([file]) {
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
    return writeHubspotApp(positionals[0], values.distribution)
  },
  async probe(args) {
    const { probe } = await import('./probe.ts')
    const { values, positionals } = parseArgs({ args, options: { live: flag }, allowPositionals: true })
    return await probe(positionals[0], values.live)
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
  async outbound([to]) {
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
  async 'release-domain'([domain]) {
    const { releaseClaim } = await import('./release-domain.ts')
    return await releaseClaim(domain)
  },
  async erasures([verb, file]) {
    const { erasures } = await import('./erasures.ts')
    return await erasures(verb, file)
  },
}

const [command = '', ...args] = process.argv.slice(2)
const run = Object.hasOwn(commands, command) ? commands[command] : undefined

if (run === undefined) {
  process.stdout.write(usage)
  process.exitCode = command === '' || command === 'help' || command === '--help' ? 0 : 2
} else {
  try {
    process.exitCode = await run(args)
  } catch (error) {
    process.stderr.write(`Tributary cannot do this: ${oneLine(error)}\n`)
    // What still runs, such as a pool of connections, must not keep a failed command alive.
    process.exit(1)
  }
}
