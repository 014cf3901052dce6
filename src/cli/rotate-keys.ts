import { openProcess } from '#server/process.ts'
import { rotateSecondFactors } from '#server/providers/identity/rotate-second-factors.ts'
import { countSealedVersions } from '#server/store/connections/sealed-secrets.ts'
import { rotateKeys } from '#server/work/connections/rotate-keys.ts'

/**
 * Seals stored secrets again, and prints their number and the key versions still used. Returns exit code 1 if a secret
 * could not be opened, or if `--check` finds one under an old version.
 */
export async function rotateStoredKeys(options: { check: boolean; all: boolean }): Promise<number> {
  const { deps, close } = await openProcess({
    name: 'rotate-keys',
    environment: { ...process.env, METRICS_PORT: '' },
  })
  try {
    let unreadable = 0
    if (!options.check) {
      const [one, other] = [await rotateKeys(deps, options), await rotateSecondFactors(deps)]
      unreadable = one.unreadable + other.unreadable
      process.stdout.write(
        `Sealed again ${one.resealed + other.resealed}, left as they were ${one.left + other.left}, not readable ${unreadable}\n`,
      )
    }
    const versions = await countSealedVersions(deps.database)
    for (const { version, secrets } of versions) {
      const note = version === deps.seal.version ? 'in use' : noteOn(deps.seal.hasVersion(version))
      process.stdout.write(`Version ${version}: ${secrets} stored, ${note}\n`)
    }
    const isDone = versions.every(({ version }) => version === deps.seal.version)
    if (isDone) process.stdout.write(`Only version ${deps.seal.version} is needed.\n`)
    return unreadable > 0 || !isDone ? 1 : 0
  } finally {
    await close()
  }
}

function noteOn(isKnown: boolean): string {
  return isKnown ? 'must stay in SEAL_KEYS' : 'MISSING in SEAL_KEYS'
}
