import type { Deps } from '#server/deps.ts'
import type { ProviderConnection } from '#server/store/connections/connections.ts'
import { openPayments } from '#server/work/connections/payments-connection.ts'
import { oneLine } from '../one-line.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const { ok, warning, wrong } = symptomsOf('Stripe permissions')

/** Asks Stripe what the key of a connection may read, by one small request for each kind of object. */
export async function lookAtStripe(deps: Deps, connection: ProviderConnection): Promise<Symptom> {
  const whose = `organization ${connection.organization_id}`
  try {
    const account = await openPayments(deps, connection).check()
    const { missingPermissions, missingOptionalPermissions, isLive } = account
    if (missingPermissions.length > 0) {
      return wrong(`${whose}: the key lacks ${missingPermissions.join(', ')}: add them to the key in Stripe`)
    }
    if (missingOptionalPermissions.length > 0) {
      return warning(
        `${whose}: the key lacks ${missingOptionalPermissions.join(', ')}, which an import can use`,
      )
    }
    return ok(`${whose}: the key reads all that an import needs, in ${isLive ? 'live' : 'test'} mode`)
  } catch (error) {
    return wrong(`${whose}: ${oneLine(error)}`)
  }
}
