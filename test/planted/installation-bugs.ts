import type { Bug } from './bug.ts'

const clockTest = 'src/server/database-clock.test.ts'
const sessionTest = 'src/server/providers/identity/session-times.test.ts'

const role = 'src/server/store/installation/application-role.ts'
const backupTest = 'src/cli/backup.test.ts'
const roleTest = 'src/server/store/installation/application-role.test.ts'

/** Faults that show only beside another installation, under a restricted owner, or after a restore. */
export const installationBugs: readonly Bug[] = [
  {
    name: 'attributes of the role denied by an owner who may not name them',
    file: role,
    text: '} login password $',
    replacement: '} login nosuperuser nobypassrls password $',
    caughtBy: [roleTest, 'is migrated any number of times'],
  },
  {
    name: 'one role for all installations of a cluster',
    file: role,
    text: 'const name = `${prefix}${database}`',
    replacement: 'const name = `${prefix}${database && "one"}`',
    caughtBy: [roleTest, 'have roles and passwords of their own'],
  },
  {
    name: 'a database open to the roles of others',
    file: role,
    text: '`revoke connect on database ${name} from public; grant',
    replacement: '`grant',
    caughtBy: [roleTest, 'have roles and passwords of their own'],
  },
  {
    name: 'a role with power taken as it is',
    file: role,
    text: 'if (powers !== null && powers.length > 0)',
    replacement: 'if (false)',
    caughtBy: [roleTest, 'refuses a role that has been given power'],
  },
  {
    name: "the role's password readable by the role",
    file: role,
    text: '    revoke all on table application_role from ${role};\n',
    replacement: '',
    caughtBy: [roleTest, 'has a role whose password it alone can read'],
  },
  {
    name: 'the rows that a backup may read shown to everybody',
    file: 'src/server/store/installation/owner-backup-policy.ts',
    text: 'on %I for select to current_user',
    replacement: 'on %I for select to public',
    caughtBy: [backupTest, 'lets nobody else read anything'],
  },
  {
    name: 'a backup without the rows that are hidden from its owner',
    file: 'src/server/store/installation/backup.ts',
    text: '    await refuseHidden(client)\n',
    replacement: '',
    caughtBy: [backupTest, 'is not taken of a database that hides rows'],
  },
  {
    name: 'a backup restored without a look at its checksum',
    file: 'src/server/store/installation/backup-file.ts',
    text: ' || last.value.toString() !== `${told}\\n`',
    replacement: '',
    caughtBy: [backupTest, 'is refused before anything is written'],
  },
  {
    name: 'triggers that run once more while a backup is restored',
    file: 'src/server/store/installation/restore.ts',
    text: '${table} disable trigger user',
    replacement: '${table} enable trigger user',
    caughtBy: [backupTest, 'gives every row of every table back'],
  },
  {
    name: "a restored copy that calls the customers' accounts at once",
    file: 'src/server/store/installation/restore.ts',
    text: '    await holdOutboundAs(client)\n',
    replacement: '',
    caughtBy: [backupTest, 'and leaves calls off'],
  },
  {
    name: 'a worker that goes on where its database belongs to a newer version',
    file: 'src/server/worker.ts',
    text: '    await requireKnownMigrations(deps)\n  }',
    replacement: '  }',
    caughtBy: ['src/server/jobs/worker-process.test.ts', 'of an older version than its database'],
  },
  {
    name: "what a worker does dated by its machine's clock",
    file: 'src/server/database-clock.ts',
    text: 'unsureMs + answerUnsureMs) aheadMs = differenceMs',
    replacement: 'unsureMs + answerUnsureMs) aheadMs = 0',
    caughtBy: ['src/server/jobs/worker-process.test.ts', 'dates what it does by the database'],
  },
  {
    name: 'Stripe asked by a restored copy',
    file: 'src/server/process.ts',
    text: "outbound.guard(metrics.countAnswers('stripe', send))",
    replacement: "metrics.countAnswers('stripe', send)",
    caughtBy: ['src/server/outbound.test.ts', 'both providers of a process stand behind it'],
  },
  {
    name: 'HubSpot asked by a restored copy',
    file: 'src/server/process.ts',
    text: "outbound.guard(metrics.countAnswers('hubspot', fetch))",
    replacement: "metrics.countAnswers('hubspot', fetch)",
    caughtBy: ['src/server/outbound.test.ts', 'both providers of a process stand behind it'],
  },
  {
    name: 'mail sent by a restored copy',
    file: 'src/server/work/mail/carry-mail.ts',
    text: '    if (await isHeld?.()) return\n',
    replacement: '',
    caughtBy: ['src/server/outbound.test.ts', 'mail stays in the outbox'],
  },
  {
    name: 'a starter that ends with its log',
    file: 'tools/log-file.ts',
    text: "opened.on('error', (error",
    replacement: "opened.on('unheard', (error",
    caughtBy: ['tools/log-file.test.ts', 'that cannot be written ends neither'],
  },
  {
    name: 'clocks that are a second apart taken for equal',
    file: 'src/server/database-clock.ts',
    text: '> unsureMs + answerUnsureMs)',
    replacement: '> warnFromMs)',
    caughtBy: [clockTest, 'goes by the database where it is 1500 ms off'],
  },
  {
    name: 'a clock that somebody sets left as it is for a minute',
    file: 'src/server/database-clock.ts',
    text: 'Math.abs(gapNow() - compared.gapMs) > jumpMs',
    replacement: 'false',
    caughtBy: [clockTest, 'is compared at once when somebody sets it'],
  },
  {
    name: 'a command that goes by the clock of its machine',
    file: 'src/server/process.ts',
    text: '  await databaseClock.set()\n',
    replacement: '  databaseClock.stop()\n',
    caughtBy: ['src/cli/keys-and-revocation.test.ts', 'by the time of the database'],
  },
  {
    name: 'a session begun by the clock of the server',
    file: 'src/server/providers/identity/create-auth.ts',
    text: 'const now = await readDatabaseTime(database)',
    replacement: 'const now = new Date()',
    caughtBy: [sessionTest, 'goes by the clock of the database'],
  },
  {
    name: 'a session last used by the clock of the server',
    file: 'src/server/providers/identity/create-auth.ts',
    text: 'updatedAt: await readDatabaseTime(database) }',
    replacement: 'updatedAt: new Date() }',
    caughtBy: [sessionTest, 'goes by the clock of the database'],
  },
  {
    name: 'a bundle without the licences of what is in it',
    file: 'vite.config.ts',
    text: "    license: { fileName: 'third-party-notices.txt' },\n",
    replacement: '',
    caughtBy: ['test/notices.test.ts', 'name every package of the bundle'],
  },
  {
    name: 'an installation without its Node taken for done',
    file: 'tools/install.js',
    text: '  requireNode()\n',
    replacement: '',
    caughtBy: ['tools/install.test.ts', 'is not done where npm leaves the Node out'],
  },
]
