import type { Deps } from '../../deps.ts'
import { listOrganizationIds } from '../../store/accounts/organizations.ts'
import {
  listSealedSecrets,
  replaceSealedSecret,
  type SealedColumn,
} from '../../store/connections/sealed-secrets.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { crmSealPlace } from '../crm/sealed-tokens.ts'
import { erasureSealPlace } from '../erasure/hashes.ts'
import { paymentsSealPlace, webhookSealPlace } from './payments-connection.ts'

type SealPlace = Parameters<Deps['seal']['seal']>[0]

const places: Readonly<Record<SealedColumn, (organizationId: number) => SealPlace>> = {
  payments: paymentsSealPlace,
  crm: crmSealPlace,
  webhook: webhookSealPlace,
  erasure: erasureSealPlace,
}

/** A secret that changes at each attempt is in use; after this many attempts the next call handles it. */
const triesMax = 5

/** The version of the ring that a stored secret names, and whether its key opens the secret. */
type TriedSecret = { version: number; isOpened: boolean }

export type Rotation = {
  /** Sealed again under the current version, with a new data key. */
  resealed: number
  /** Already under the current version. */
  left: number
  /** Could not be opened: the ring lacks the key, or somebody changed the text. */
  unreadable: number
}

/**
 * Seals every stored secret again under the ring's current version while everything runs, unless a secret changes in
 * between. May be interrupted and repeated. `all` includes secrets already under that version, to renew their data
 * keys.
 */
export async function rotateKeys(
  deps: Pick<Deps, 'database' | 'seal' | 'log'>,
  options: { all: boolean },
): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, left: 0, unreadable: 0 }
  for (const organizationId of await listOrganizationIds(deps.database)) {
    for (const column of Object.keys(places) as SealedColumn[]) {
      const outcome = await rotateOne(deps, organizationId, column, options.all)
      if (outcome !== undefined) rotation[outcome] += 1
    }
  }
  return rotation
}

/** Tries to open every stored secret, and tells the version that each names. */
export async function* tryStoredSecrets({
  database,
  seal,
}: Pick<Deps, 'database' | 'seal'>): AsyncGenerator<TriedSecret, undefined> {
  for (const organizationId of await listOrganizationIds(database)) {
    for (const { column, sealed } of await inOrganization(database, organizationId, listSealedSecrets)) {
      const version = seal.versionOf(sealed)
      if (version === undefined) continue
      yield { version, isOpened: opens(() => seal.open(places[column](organizationId), sealed)) }
    }
  }
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}

async function rotateOne(
  { database, seal, log }: Pick<Deps, 'database' | 'seal' | 'log'>,
  organizationId: number,
  column: SealedColumn,
  all: boolean,
): Promise<keyof Rotation | undefined> {
  const place = places[column](organizationId)
  for (let tries = 0; tries < triesMax; tries += 1) {
    const outcome = await inOrganization(database, organizationId, async (tenant) => {
      const secret = (await listSealedSecrets(tenant)).find((one) => one.column === column)
      const version = secret && seal.versionOf(secret.sealed)
      if (!secret || version === undefined) return undefined
      if (version === seal.version && !all) return 'left'
      let plain: string
      try {
        plain = seal.open(place, secret.sealed)
      } catch (error) {
        log.error({ error, organizationId, column, version }, 'a secret cannot be opened')
        return 'unreadable'
      }
      const isReplaced = await replaceSealedSecret(tenant, secret, seal.seal(place, plain))
      return isReplaced ? 'resealed' : 'again'
    })
    if (outcome !== 'again') return outcome
  }
  throw new Error(
    `A secret of organization ${organizationId} is being replaced all the time. Call this again.`,
  )
}
