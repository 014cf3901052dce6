import { parseArgs } from 'node:util'

/** What `tributary --help` prints: each command with its words, then what it does. */
export const usage = `tributary COMMAND
tributary COMMAND --help      prints the part of this about one command

  replay [--receipts] FILE…   MRR events of files with the payment provider's objects, one JSON line a file
  simulators [--world=FILE] [--customers=N] [--stripe-port=N] [--hubspot-port=N] [--data=FOLDER]
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
  second-factor-off EMAIL     turns two-factor authentication off for somebody who lost the app and the recovery codes, and
                              signs them out everywhere; they are told by mail
  make-owner EMAIL [NUMBER]   makes a member an owner where none is left who could; all owners are told by mail. NUMBER is
                              the organization's, for a member of several
  release-domain DOMAIN       takes the claim of a domain away from the organization that has it; its owners are told
  erasures export|apply FILE  the list of who was erased and what was deleted, as keyed hashes; applied after the restore
                              of an older backup it erases and deletes them again
`

/** The part of the usage about one command; undefined if there is no such command. */
export function usageOf(command: string): string | undefined {
  const parts = usage.split(/^(?= {2}\S)/m).slice(1)
  return parts.find((part) => part.split(/\s+/)[1] === command)
}

/** Whether the call asks for help instead of work. Behind `--`, a word is the name of a file. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg === '--help' || arg === '-h')
}

/** A call with options or words that its command does not have, or without a word that it needs. */
export class WrongCall extends Error {}

/** The words behind a command without options. Throws for more than `most`: a typing error must not be carried out. */
export function wordsOf(args: string[], most: number): string[] {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  return atMost(positionals, most)
}

/** The one word that a command needs, of those that were read. Throws for none or several. */
export function onlyWord(words: string[]): string {
  const [word] = atMost(words, 1)
  if (word === undefined) throw new WrongCall('Missing argument')
  return word
}

function atMost(words: string[], most: number): string[] {
  const more = words[most]
  if (more !== undefined) throw new WrongCall(`Unexpected argument '${more}'`)
  return words
}

/** Why a call is wrong, in a few words; undefined for an error of another kind. */
export function faultOfCall(error: unknown): string | undefined {
  if (error instanceof WrongCall) return error.message
  const { code, message } = Object(error)
  return String(code).startsWith('ERR_PARSE_ARGS') ? String(message).split('. ')[0] : undefined
}
