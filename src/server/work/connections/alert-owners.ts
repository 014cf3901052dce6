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
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { findFailingSince } from '../../store/runs/failing-since.ts'
import { unlinkedName } from '../mail/unlinked-name.ts'

/** Syncs that fail for a shorter time often recover by themselves. */
const failingMs = 3_600_000
/** Something that begins and ends again and again must not fill mailboxes. */
const mailsPerDay = { max: 6, windowSeconds: 24 * 3_600 }

/**
 * Mails the owners who want it when a connection stops working, or syncs fail for an hour: once when it begins, once
 * when it is over.
 */
export async function alertOwners(
  deps: Pick<Deps, 'database' | 'config' | 'now' | 'payments' | 'crm'>,
  organizationId: number,
): Promise<void> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const told = await listAlerts(tenant)
    const wrong = await findWrong(deps, tenant, told)
    for (const kind of wrong) {
      // Syncs fail because the connection does not work: that is one incident.
      const isConsequence = kind === 'sync' && (wrong.length > 1 || told.some((one) => one !== 'sync'))
      if (isConsequence || told.includes(kind)) continue
      if (await beginAlert(tenant, kind)) await mailOwners(deps, tenant, beginOf(deps, kind))
    }
    for (const kind of told) {
      if (wrong.includes(kind)) continue
      // Nobody needs to hear that a connection works which a person ended.
      const isGone = kind !== 'sync' && (await findConnection(tenant, kind)) === undefined
      if ((await endAlert(tenant, kind, deps.now())) && !isGone)
        await mailOwners(deps, tenant, endOf(deps, kind))
    }
  })
}

async function findWrong(
  { now }: Pick<Deps, 'now'>,
  tenant: Tenant,
  told: readonly AlertKind[],
): Promise<AlertKind[]> {
  const wrong: AlertKind[] = []
  for (const provider of ['payments', 'crm'] as const) {
    if ((await findConnection(tenant, provider))?.warning) wrong.push(provider)
  }
  // What failed until a connection worked again belongs to that incident, of which the owners know.
  const after = told.includes('sync') ? null : await findConnectionsOverAt(tenant)
  const since = await findFailingSince(tenant, after)
  if (since !== undefined && now().getTime() - since.getTime() >= failingMs) wrong.push('sync')
  return wrong
}

type Words = { subject: string; text: string; path: string }
type Names = Pick<Deps, 'payments' | 'crm'>

function beginOf(names: Names, kind: AlertKind): Words {
  if (kind === 'sync') {
    return {
      subject: 'Syncs are failing',
      text: 'An import or sync failed more than an hour ago, and none has succeeded since. Sync History shows why.',
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
