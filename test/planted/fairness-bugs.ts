import type { Bug } from './bug.ts'

const fair = 'src/server/fair.test.ts'
const turns = 'src/server/http/turns.test.ts'

const queue = 'src/server/jobs/fair-queue.test.ts'

/** Faults that let one organization or person delay the others. */
export const fairnessBugs: readonly Bug[] = [
  {
    name: 'a slot of the queue that waits for the next poll',
    file: 'src/server/jobs/work-on-runs.ts',
    text: '      boss.notifyWorker(id)\n',
    replacement: '',
    caughtBy: [queue, 'takes the next job'],
  },
  {
    name: 'no slot of the queue for what is small',
    file: 'src/server/jobs/work-on-runs.ts',
    text: "    if (kind !== 'recount') await openSlot(boss, runQueues[kind], onlySmall, handle)\n",
    replacement: '',
    caughtBy: [queue, 'a slot stays'],
  },
  {
    name: 'a queue that knows no small runs',
    file: 'src/server/jobs/enqueue.ts',
    text: '    priority: priorityOf(run),\n',
    replacement: '',
    caughtBy: [queue, 'what is small begins first'],
  },
  {
    name: 'nightly passes of all organizations at once',
    file: 'src/server/jobs/schedule-turns.ts',
    text: '(organizationId % (own.span / own.step))',
    replacement: '0',
    caughtBy: ['src/server/jobs/schedule-turns.test.ts', 'spread the nightly passes'],
  },
  {
    name: 'a dead key that is tried at every look',
    file: 'src/server/work/import/refresh-payments.ts',
    text: '!connection || connection.warning !== null',
    replacement: '!connection',
    caughtBy: ['src/server/jobs/schedules.test.ts', 'the key no longer works'],
  },
  {
    name: 'a limit on transactions that knows no organization',
    file: 'src/server/store/postgres/database.ts',
    text: 'inTurn(organizationId, run, signal)',
    replacement: 'inTurn(0, run, signal)',
    caughtBy: [fair, 'begin at once while'],
  },
  {
    name: 'turns for whoever came first',
    file: 'src/server/http/turns.ts',
    text: `      lines.delete(line.key)
      lines.set(line.key, line)`,
    replacement: '',
    caughtBy: [turns, 'go from key to key'],
  },
  {
    name: 'a request that was given up kept in its line',
    file: 'src/server/http/turns.ts',
    text: "signal?.addEventListener('abort', giveUp)",
    replacement: '',
    caughtBy: [turns, 'a request that was given up'],
  },
  {
    name: 'lines without an end',
    file: 'src/server/http/turns.ts',
    text: 'if (signal?.aborted || line.waiting.size >= waitingMax)',
    replacement: 'if (signal?.aborted)',
    caughtBy: [turns, 'nor for ever'],
  },
  {
    name: 'searches of one person beside each other without end',
    file: 'src/server/http/serve.ts',
    text: "'search' in query.shape",
    replacement: "'searched' in query.shape",
    caughtBy: [fair, 'searches of one person'],
  },
  {
    name: 'refused calls that ask the database who calls',
    file: 'src/server/http/door.ts',
    text: 'remembered.set(cookie, caller)',
    replacement: '',
    caughtBy: ['src/server/http/door.test.ts', 'asks nothing of the database'],
  },
  {
    name: 'a server whose organizations take no turns',
    file: 'src/server/process.ts',
    text: '...(options.inTurn && { inTurn: options.inTurn }),',
    replacement: '',
    caughtBy: [fair, 'begin at once while'],
  },
  {
    name: 'a burst of one browser before the calls of all others',
    file: 'src/server/app.ts',
    text: 'if (cookie === undefined) return next()',
    replacement: 'if (cookie !== null) return next()',
    caughtBy: ['src/server/fair.test.ts', 'is answered in turn with the calls of other browsers'],
  },
  {
    name: 'an update of all rows of a large account that never ends',
    file: 'db/migrations/0043_wide_updates.sql',
    text: 'mark_outdated() returns trigger language plpgsql set enable_nestloop = off as',
    replacement: 'mark_outdated() returns trigger language plpgsql as',
    caughtBy: ['test/migrations.test.ts', 'joins the rows before and after an update without a nested loop'],
  },
]
