import type { Deps } from '../../deps.ts'
import {
  type AlertKind,
  beginAlert,
  endAlert,
  findConnectionsOverAt,
  listAlertedOwners,
  listAlerts,
} from '../../store/accounts/alerts.ts'
import { spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { type FailingKind, findFailingSince } from '../../store/runs/failing-since.ts'
import { unlinkedName } from '../mail/unlinked-name.ts'

/** Syncs that fail for a shorter time often recover by themselves. */
const failingMs = 3_600_000
/** Something that begins and ends again and again must not fill mailboxes. */
const mailsPerDay = { max: 6, windowSeconds: 24 * 3_600 }

/**
 * Mails the owners who want it when a connection stops working, or imports or syncs fail for an hour: once when it begins, once
 * when it is over.
 */
export async function alertOwners(
  deps: Pick<Deps, 'database' | 'config' | 'now' | 'payments' | 'crm'>,
  organizationId: number,
): Promise<void> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const told = await listAlerts(tenant)
    const connections = await findConnections(tenant)
    const wrong = await findWrong(deps, tenant, told, connections)
    for (const kind of wrong) {
      // Syncs fail because the connection does not work: that is one incident.
      const isConsequence = kind === 'sync' && (wrong.length > 1 || told.some((one) => one !== 'sync'))
      if (isConsequence || told.includes(kind)) continue
      if (await beginAlert(tenant, kind)) await mailOwners(deps, tenant, beginOf(deps, kind))
    }
    for (const kind of told) {
      if (wrong.includes(kind)) continue
      // Nobody needs to hear that something works which a person ended.
      const isGone =
        kind === 'sync' ? await isLeftFailing(tenant, connections) : connections[kind] === undefined
      if ((await endAlert(tenant, kind, deps.now())) && !isGone)
        await mailOwners(deps, tenant, endOf(deps, kind))
    }
  })
}

type Connections = Awaited<ReturnType<typeof findConnections>>

/** The connections that runs of a kind need. Without one of them, nobody expects any. */
const neededFor = { import: ['payments'], push: ['payments', 'crm'] } as const
const failingKinds: readonly FailingKind[] = ['import', 'push']

/** When all connections that a kind needs were there; undefined if one is missing. */
function connectedSince(kind: FailingKind, connections: Connections): Date | undefined {
  const times = neededFor[kind].map((provider) => connections[provider]?.connected_at.getTime() ?? Infinity)
  const last = Math.max(...times)
  return last === Infinity ? undefined : new Date(last)
}

/** Whether runs of a kind failed until a person ended a connection that they need. */
async function isLeftFailing(tenant: Tenant, connections: Connections): Promise<boolean> {
  const ended = failingKinds.filter((kind) => connectedSince(kind, connections) === undefined)
  for (const kind of ended) if ((await findFailingSince(tenant, kind, null)) !== undefined) return true
  return false
}

async function findWrong(
  { now }: Pick<Deps, 'now'>,
  tenant: Tenant,
  told: readonly AlertKind[],
  connections: Connections,
): Promise<AlertKind[]> {
  const wrong: AlertKind[] = (['payments', 'crm'] as const).filter((one) => connections[one]?.warning)
  // What failed until a connection worked again belongs to that incident, of which the owners know.
  const overAt = (await findConnectionsOverAt(tenant))?.getTime() ?? 0
  for (const kind of failingKinds) {
    const connectedAt = connectedSince(kind, connections)
    if (connectedAt === undefined) continue
    // What failed before a person connected again may be mended.
    const from = told.includes('sync') ? null : new Date(Math.max(connectedAt.getTime(), overAt))
    const since = await findFailingSince(tenant, kind, from)
    if (since !== undefined && now().getTime() - since.getTime() >= failingMs) return [...wrong, 'sync']
  }
  return wrong
}

type Words = { subject: string; text: string; path: string }
type Names = Pick<Deps, 'payments' | 'crm'>

function beginOf(names: Names, kind: AlertKind): Words {
  if (kind === 'sync') {
    return {
      subject: 'Syncs are failing',
      text: `All imports, or all syncs to ${names.crm.name}, have failed for more than an hour. Sync History and Data Sync show why.`,
      path: '/sync-history',
    }
  }
  const { name } = names[kind]
  return {
    subject: `The connection to ${name} needs attention`,
    text: `${name} no longer accepts the connection. Data Sync shows what to do.`,
    path: '/data-sync',
  }
}

function endOf(names: Names, kind: AlertKind): Words {
  if (kind === 'sync')
    return { subject: 'Syncs work again', text: 'Imports and syncs work again.', path: '/sync-history' }
  const { name } = names[kind]
  return {
    subject: `The connection to ${name} works again`,
    text: `The problem with the connection to ${name} is over.`,
    path: '/data-sync',
  }
}

async function mailOwners(
  { config }: Pick<Deps, 'config'>,
  tenant: Tenant,
  { subject, text, path }: Words,
): Promise<void> {
  const owners = await listAlertedOwners(tenant)
  if (owners.length === 0) return
  const key = `alerts:${tenant.organizationId}`
  if ((await spendAttempt(tenant.sql, { key, ...mailsPerDay })) > 0) return
  const { name } = await getOrganization(tenant)
  for (const to of owners) {
    await addToOutbox(tenant.sql, {
      to,
      subject,
      body: `${text} Organization: ${unlinkedName(name)}. You can turn these mails off in Account Settings.`,
      link: `${config.publicUrl}${path}`,
    })
  }
}
