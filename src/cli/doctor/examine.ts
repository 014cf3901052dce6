import { type Config, readConfig } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { takeProxy } from '#server/outgoing-network.ts'
import { openProcess } from '#server/process.ts'
import { countUnopened, findLackOfKeys } from '#server/require-seal-keys.ts'
import { ConfigError } from '#server/settings/config-error.ts'
import { openAddressWarning } from '#server/settings/public-url.ts'
import { trustAuthorities } from '#server/settings/trust-authorities.ts'
import { listOrganizationIds } from '#server/store/accounts/organizations.ts'
import { findConnections } from '#server/store/connections/connections.ts'
import { inspectDatabase } from '#server/store/installation/inspect-database.ts'
import { findOutboundHold } from '#server/store/installation/outbound-hold.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { databaseFault } from '#server/store/postgres/database-fault.ts'
import { oneLine } from '../one-line.ts'
import { judgeDatabase } from './judge-database.ts'
import { lookAtClocks } from './look-at-clocks.ts'
import { lookAtHubspot } from './look-at-hubspot.ts'
import { lookAtRates } from './look-at-rates.ts'
import { lookAtIdentity, lookAtMail, lookAtRedirect } from './look-at-services.ts'
import { lookAtStripe } from './look-at-stripe.ts'
import { lookAtTraces } from './look-at-traces.ts'
import { lookAtVersions } from './look-at-versions.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const settings = symptomsOf('settings')
const held = symptomsOf('calls')
const database = symptomsOf('database')
const connections = symptomsOf('connections')

/** Without `all`, the connections of the newest organizations are asked, up to this number. */
export const askedByDefault = 10

/**
 * Looks at everything that an operator can put wrong, each part even if another fails. It changes nothing, except that it
 * renews an access token of HubSpot that has run out, as every process does.
 */
export async function examine(environment: NodeJS.ProcessEnv, all: boolean): Promise<Symptom[]> {
  const config = configOrSymptom(environment)
  if ('state' in config) return [...lookAtVersions(), config]
  const { deps, close } = await openProcess({
    name: 'doctor',
    environment: { ...environment, LOG_LEVEL: 'silent', METRICS_PORT: '' },
    isNewerToldLater: true,
  })
  try {
    const { symptoms, answers, isReady } = await lookAtDatabase(deps)
    const keys = isReady ? await lookAtKeys(deps) : null
    const isHeld = isReady && (await findOutboundHold(deps.database)) !== undefined
    return [
      ...lookAtVersions(),
      ...lookAtSettings(config),
      ...symptoms,
      ...(keys === null ? [] : [keys.symptom]),
      ...(isHeld ? [heldSymptom] : await lookAtOthers(deps, answers)),
      await lookAtRates(deps.rates, isHeld, deps.now()),
      await lookAtTraces(config.traces),
      lookAtRedirect(config),
      ...(keys?.isRing && !isHeld ? await lookAtConnections(deps, all) : []),
    ]
  } finally {
    await close()
  }
}

const heldSymptom = held.warning(
  'off, by a restore or `tributary outbound off`, so no provider and no mail server was asked: `tributary outbound on` switches them on',
)

function configOrSymptom(environment: NodeJS.ProcessEnv): Config | Symptom {
  try {
    const config = readConfig(environment)
    trustAuthorities(config)
    takeProxy(config)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return settings.wrong(error.message)
  }
}

function lookAtSettings({ publicUrl, hubspot, stripe }: Config): Symptom[] {
  const mode = `${stripe.isSimulated ? 'simulated' : 'real'} Stripe, ${hubspot.isSimulated ? 'simulated' : 'real'} HubSpot`
  const open = openAddressWarning(publicUrl)
  return [settings.ok(`complete, for ${mode}`), ...(open === null ? [] : [settings.warning(open)])]
}

/** `isReady`: the application can work with it. */
async function lookAtDatabase(
  deps: Deps,
): Promise<{ symptoms: Symptom[]; answers: boolean; isReady: boolean }> {
  try {
    const symptoms = judgeDatabase(await inspectDatabase(deps.config.databaseUrl))
    return { symptoms, answers: true, isReady: symptoms.every(({ state }) => state !== 'wrong') }
  } catch (error) {
    const { databaseUrl } = deps.config
    return {
      symptoms: [database.wrong(databaseFault(error, databaseUrl) ?? oneLine(error))],
      ...{ answers: false, isReady: false },
    }
  }
}

/** `isRing`: the keys are those of this database, even if single secrets are damaged. */
async function lookAtKeys(deps: Deps): Promise<{ symptom: Symptom; isRing: boolean }> {
  const lack = await findLackOfKeys(deps)
  if (lack !== null) return { symptom: settings.wrong(lack), isRing: false }
  const { stored, unopened } = await countUnopened(deps)
  const symptom =
    unopened === 0
      ? settings.ok('SEAL_KEYS opens every stored secret')
      : settings.wrong(`SEAL_KEYS does not open ${unopened} of ${stored} stored secrets`)
  return { symptom, isRing: true }
}

async function lookAtOthers({ config, now }: Deps, answers: boolean): Promise<Symptom[]> {
  const hosts = [
    { name: 'Stripe', url: config.stripe.apiUrl },
    { name: 'HubSpot', url: config.hubspot.apiUrl },
  ]
  const found = await Promise.all([
    lookAtClocks({ now, answers, machineNow: Date.now, hosts, fetch }),
    lookAtMail(config),
    lookAtIdentity(config),
  ])
  return found.flat()
}

async function lookAtConnections(deps: Deps, all: boolean): Promise<Symptom[]> {
  const symptoms: Symptom[] = []
  const most = all ? Number.POSITIVE_INFINITY : askedByDefault
  let asked = 0
  const organizationIds = await listOrganizationIds(deps.database)
  for (const organizationId of organizationIds.toReversed()) {
    if (asked >= most) {
      symptoms.push(connections.notAsked('those of older organizations: `tributary doctor --all` asks all'))
      break
    }
    const { payments, crm } = await inOrganization(deps.database, organizationId, findConnections)
    if (payments) symptoms.push(await lookAtStripe(deps, payments))
    if (crm?.account_id) symptoms.push(...(await lookAtHubspot(deps, organizationId)))
    if (payments || crm) asked += 1
  }
  return symptoms.length > 0 ? symptoms : [connections.ok('nobody has connected Stripe or HubSpot yet')]
}
