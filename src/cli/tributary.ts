/** The `tributary` command. Each subcommand is a module that is loaded only when requested. */
import { parseArgs } from 'node:util'

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
  outbound [on|off]           tells whether Stripe, HubSpot and the mail server are called, and switches it
  rotate-keys [--check] [--all]
                              seals stored secrets anew under the newest key of SEAL_KEYS; --check only counts them
                              by version, --all gives every secret a new data key
  revoke-all --yes [--at-hubspot]
                              for the bad day: ends all sessions, invitations, connections and running work
  release-domain DOMAIN       takes the claim of a domain away from the organization that has it; its owners are told
  erasures export|apply FILE  the list of who was erased and what was deleted, as keyed hashes; applied after the restore
                              of an older backup it erases and deletes them again
`

const [command = '', ...args] = process.argv.slice(2)

switch (command) {
  case 'replay': {
    const { replay } = await import('./replay.ts')
    process.exitCode = replay(args)
    break
  }
  case 'simulators': {
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
    break
  }
  case 'worker': {
    const { worker } = await import('./worker.ts')
    await worker()
    break
  }
  case 'migrate': {
    const { migrateDatabase } = await import('./migrate.ts')
    process.exitCode = await migrateDatabase()
    break
  }
  case 'backup':
  case 'restore': {
    const { backup, restore } = await import('./backup.ts')
    process.exitCode = await (command === 'backup' ? backup : restore)(args[0])
    break
  }
  case 'hubspot-app': {
    const { writeHubspotApp } = await import('./hubspot-app.ts')
    const { values, positionals } = parseArgs({
      args,
      options: { distribution: { type: 'string', default: 'private' } },
      allowPositionals: true,
    })
    process.exitCode = writeHubspotApp(positionals[0], values.distribution)
    break
  }
  case 'probe': {
    const { probe } = await import('./probe.ts')
    const options = { live: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    process.exitCode = await probe(positionals[0], values.live)
    break
  }
  case 'outbound': {
    const { switchOutbound } = await import('./outbound.ts')
    process.exitCode = await switchOutbound(args[0])
    break
  }
  case 'rotate-keys': {
    const { rotateStoredKeys } = await import('./rotate-keys.ts')
    const flag = { type: 'boolean', default: false } as const
    const { values } = parseArgs({ args, options: { check: flag, all: flag } })
    process.exitCode = await rotateStoredKeys(values)
    break
  }
  case 'revoke-all': {
    const { revokeEverything } = await import('./revoke-all.ts')
    const flag = { type: 'boolean', default: false } as const
    const { values } = parseArgs({ args, options: { yes: flag, 'at-hubspot': flag } })
    process.exitCode = await revokeEverything({ isConfirmed: values.yes, atHubspot: values['at-hubspot'] })
    break
  }
  case 'release-domain': {
    const { releaseClaim } = await import('./release-domain.ts')
    process.exitCode = await releaseClaim(args[0])
    break
  }
  case 'erasures': {
    const { erasures } = await import('./erasures.ts')
    process.exitCode = await erasures(args[0], args[1])
    break
  }
  default:
    process.stdout.write(usage)
    process.exitCode = command === '' || command === 'help' || command === '--help' ? 0 : 2
}
