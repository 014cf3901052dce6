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

/** A secret that is replaced each time we come to it is in use; after so many tries it is left to the next call. */
const triesMax = 5

export type Rotation = {
  /** Sealed anew under the version in use, with a data key of its own. */
  resealed: number
  /** Under the version in use already. */
  left: number
  /** Could not be opened: the ring lacks the key, or somebody changed the text. */
  unreadable: number
}

/**
 * Seals every stored secret anew under the ring's version in use, each with a new data key, while everything runs on: a
 * secret is replaced only where it still is what was opened. May be stopped and called again; what is done stays done.
 * `all` takes those as well that are under that version, for data keys alone.
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
