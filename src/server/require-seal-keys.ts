import type { Deps } from './deps.ts'
import { trySecondFactors } from './providers/identity/rotate-second-factors.ts'
import { countSealedVersions } from './store/connections/sealed-secrets.ts'
import { NotMigrated } from './store/installation/application-role.ts'
import { errorCodeOf } from './store/postgres/error-code.ts'
import { isDatabaseAway } from './store/postgres/is-database-away.ts'
import { tryStoredSecrets } from './work/connections/rotate-keys.ts'

const askAgainMs = 500
/** Told once a minute, so that the log of a process that waits stays readable. */
const triesForEachLine = 120
/** The SQLSTATE that PostgreSQL gives when the counting function does not exist yet. */
const undefinedFunction = '42883'

type Needs = Pick<Deps, 'database' | 'seal' | 'sleep' | 'log'>

/**
 * Ends the process with one line that names the version when the database holds secrets that the key ring cannot
 * open. Otherwise people would replace keys that are not lost. Returns false while the database is away.
 */
export async function requireSealKeys(
  { database, seal, log }: Omit<Needs, 'sleep'>,
  { isQuiet = false } = {},
): Promise<boolean> {
  try {
    const lack = await findLackOfKeys({ database, seal })
    if (lack === null) return true
    process.stderr.write(`Tributary cannot start: setting ${lack}\n`)
    process.exit(2)
  } catch (error) {
    if (!isDatabaseAway(error) && !isNotReady(error)) throw error
    if (!isQuiet) log.error({ error }, 'the key ring cannot be checked yet')
    return false
  }
}

function isNotReady(error: unknown): boolean {
  return error instanceof NotMigrated || errorCodeOf(error) === undefinedFunction
}

/** Repeats the check until the database answers and is up to date. */
export async function untilSealKeysChecked(needs: Needs): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if (await requireSealKeys(needs, { isQuiet: tries % triesForEachLine !== 0 })) return
    await needs.sleep(askAgainMs)
  }
}

/**
 * Says what to do about key versions that the database names and the ring lacks, or about a ring that opens nothing; null
 * if it has all.
 */
export async function findLackOfKeys({
  database,
  seal,
}: Pick<Deps, 'database' | 'seal'>): Promise<string | null> {
  const stored = await countSealedVersions(database)
  const missing = stored.filter(({ version }) => !seal.hasVersion(version))
  if (missing.length === 0) {
    const wrong = await findWrongKeys({ database, seal })
    return wrong.length === 0
      ? null
      : `SEAL_KEYS has another key of version ${wrong.join(', ')} than the one that encrypted what is stored. Put that one back.`
  }
  const named = missing.map(({ version, secrets }) => `${version} (${secrets} stored)`).join(', ')
  return (
    `SEAL_KEYS lacks the key of version ${named}. Put it back, and take it out only when ` +
    '`tributary rotate-keys --check` no longer names it.'
  )
}

/**
 * The versions that stored secrets name, where none of them opens. If one does, the others are damaged, or of another key:
 * `doctor` tells, and nobody else has to wait for it.
 */
async function findWrongKeys(deps: Pick<Deps, 'database' | 'seal'>): Promise<number[]> {
  const tried = new Set<number>()
  for await (const { version, isOpened } of tryEverySecret(deps)) {
    if (isOpened) return []
    tried.add(version)
  }
  return [...tried]
}

/** Counts all stored secrets, and those that the ring does not open. */
export async function countUnopened(
  deps: Pick<Deps, 'database' | 'seal'>,
): Promise<{ stored: number; unopened: number }> {
  const counts = { stored: 0, unopened: 0 }
  for await (const { isOpened } of tryEverySecret(deps)) {
    counts.stored += 1
    counts.unopened += isOpened ? 0 : 1
  }
  return counts
}

async function* tryEverySecret(deps: Pick<Deps, 'database' | 'seal'>) {
  yield* trySecondFactors(deps)
  yield* tryStoredSecrets(deps)
}
