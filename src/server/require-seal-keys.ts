import type { Deps } from './deps.ts'
import { countSealedVersions } from './store/connections/sealed-secrets.ts'
import { NotMigrated } from './store/installation/application-role.ts'
import { errorCodeOf } from './store/postgres/error-code.ts'
import { isDatabaseAway } from './store/postgres/is-database-away.ts'

const askAgainMs = 500
/** The SQLSTATE that PostgreSQL gives when the counting function does not exist yet. */
const undefinedFunction = '42883'

type Needs = Pick<Deps, 'database' | 'seal' | 'sleep' | 'log'>

/**
 * Ends the process with one line that names the version when the database holds secrets that the key ring cannot
 * open. Otherwise people would replace keys that are not lost. Returns false while the database is away.
 */
export async function requireSealKeys({ database, seal, log }: Omit<Needs, 'sleep'>): Promise<boolean> {
  try {
    const lack = await findLackOfKeys({ database, seal })
    if (lack === null) return true
    process.stderr.write(`Tributary cannot start: setting ${lack}\n`)
    process.exit(2)
  } catch (error) {
    if (!isDatabaseAway(error) && !isNotReady(error)) throw error
    log.error({ error }, 'the key ring cannot be checked yet')
    return false
  }
}

function isNotReady(error: unknown): boolean {
  return error instanceof NotMigrated || errorCodeOf(error) === undefinedFunction
}

/** Repeats the check until the database answers. */
export async function untilSealKeysChecked(needs: Needs): Promise<void> {
  while (!(await requireSealKeys(needs))) await needs.sleep(askAgainMs)
}

/** Says what to do about key versions that the database names and the ring lacks; null if it has all. */
export async function findLackOfKeys({
  database,
  seal,
}: Pick<Deps, 'database' | 'seal'>): Promise<string | null> {
  const missing = (await countSealedVersions(database)).filter(({ version }) => !seal.hasVersion(version))
  if (missing.length === 0) return null
  const named = missing.map(({ version, secrets }) => `${version} (${secrets} stored)`).join(', ')
  return (
    `SEAL_KEYS lacks the key of version ${named}. Put it back, and take it out only when ` +
    '`tributary rotate-keys --check` no longer names it.'
  )
}
