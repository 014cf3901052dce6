import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Log } from '../../log.ts'
import type { Seal } from '../../seal.ts'
import { listFactorSecrets, replaceFactorSecret } from '../../store/accounts/second-factors.ts'
import type { Database } from '../../store/postgres/database.ts'
import { identitySecrets } from './create-auth.ts'

type Options = { database: Database; seal: Seal; log: Log }

/**
 * Encrypts the secrets of authenticator apps again under the ring's current version, as the identity library does.
 * The counts are of secrets encrypted again, already under that version, and not readable with this ring.
 */
export async function rotateSecondFactors({ database, seal, log }: Options) {
  const rotation = { resealed: 0, left: 0, unreadable: 0 }
  const key = keyOf(seal)
  for (const row of await listFactorSecrets(database)) {
    if (versionOf(row.secret) === seal.version) {
      rotation.left += 1
      continue
    }
    try {
      const secret = await symmetricDecrypt({ key, data: row.secret })
      const isReplaced = await replaceFactorSecret(
        database,
        row,
        await symmetricEncrypt({ key, data: secret }),
      )
      if (isReplaced) rotation.resealed += 1
    } catch (error) {
      log.error({ error, factorId: row.id }, 'a second factor cannot be opened')
      rotation.unreadable += 1
    }
  }
  return rotation
}

/** Tries to open the secret of every authenticator app, and tells the version that each names. */
export async function* trySecondFactors({ database, seal }: Omit<Options, 'log'>) {
  const key = keyOf(seal)
  for (const { secret } of await listFactorSecrets(database)) {
    const opened = symmetricDecrypt({ key, data: secret })
    const isOpened = await opened.then(
      () => true,
      () => false,
    )
    yield { version: versionOf(secret), isOpened }
  }
}

function keyOf(seal: Seal) {
  const keys = new Map(identitySecrets(seal).map(({ version, value }) => [version, value]))
  return { keys, currentVersion: seal.version }
}

/** The version that the identity library writes before what it encrypts. */
function versionOf(secret: string): number {
  return Number(/^\$ba\$(\d+)\$/.exec(secret)?.[1] ?? 0)
}
