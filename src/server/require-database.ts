import { applicationUrl, NotMigrated } from './store/installation/application-role.ts'
import { databaseFault } from './store/postgres/database-fault.ts'
import { errorCodeOf } from './store/postgres/error-code.ts'
import { isDatabaseAway } from './store/postgres/is-database-away.ts'
import { keepsPrepared } from './store/postgres/keeps-prepared.ts'

/**
 * Ends the process with one line when DATABASE_URL is wrong in a way that waiting does not mend. While the
 * database is only away, prints one line and returns: the process waits for it.
 */
export async function requireDatabase(url: string): Promise<void> {
  try {
    if (await keepsPrepared(await applicationUrl(url))) return
    process.stderr.write(
      'Tributary cannot start: setting DATABASE_URL: the pooler there loses prepared statements; let it keep a connection ' +
        'for each session, or take PgBouncer 1.21 or newer with max_prepared_statements above 0\n',
    )
    process.exit(2)
  } catch (error) {
    if (error instanceof NotMigrated) return
    const fault = databaseFault(error, url)
    // A host that nobody knows is a misspelling at the start; later it may be a name service that is down.
    const isPassing = isDatabaseAway(error) && codeIn(error) !== 'ENOTFOUND'
    if (fault === undefined) {
      if (isPassing) return
      throw error
    }
    process.stderr.write(
      `Tributary ${isPassing ? 'waits for its database' : 'cannot start'}: setting ${fault}\n`,
    )
    if (!isPassing) process.exit(2)
  }
}

function codeIn(error: unknown): string {
  return errorCodeOf(error instanceof AggregateError ? error.errors[0] : error)
}
