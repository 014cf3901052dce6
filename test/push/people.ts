import { inOrganization } from '#server/store/postgres/database.ts'
import type { Random } from '#simulators/worlds/numbers/random.ts'
import { type Bench, enterprise, saveLedger } from './open-bench.ts'

export type RecordKind = 'subscription' | 'event' | 'company' | 'contact'
const objectNames = { subscription: 'tributary_subscription', event: 'tributary_event' }
const keyNames = { subscription: 'stripe_subscription_id', event: 'tributary_event_id' }

/**
 * Keys of the records that a round changed in HubSpot and in the ledger, and ids of all that were ever deleted in
 * HubSpot.
 */
export type Deeds = { inHubspot: string[]; inLedger: string[]; deleted: Set<string> }

export function typeOf({ simulator }: Bench, kind: RecordKind): string {
  if (kind === 'company') return '0-2'
  if (kind === 'contact') return '0-1'
  const schemas = simulator.portal(enterprise).schemas()
  return schemas.find(({ name }) => name === objectNames[kind])?.typeId ?? ''
}

export const standing = (bench: Bench, kind: RecordKind) =>
  bench.simulator.portal(enterprise).records(typeOf(bench, kind))

const keyOf = (kind: RecordKind, record: { properties: Readonly<Record<string, string>> }) =>
  kind === 'subscription' || kind === 'event' ? (record.properties[keyNames[kind]] ?? '') : ''

/** An action of a person in HubSpot: edit, rename, delete, restore or merge. */
export async function actInHubspot(bench: Bench, random: Random, deeds: Deeds): Promise<void> {
  const kind = random.pick(['subscription', 'subscription', 'event', 'event', 'company', 'contact'] as const)
  const type = typeOf(bench, kind)
  const act = (what: string, body: object) =>
    bench.control(`/_control/${what}`, { hubId: enterprise, type, ...body })
  const records = random.shuffle(standing(bench, kind))
  const [first, second] = records
  if (!first || !second) return
  const what = random.pick(['edit', 'edit', 'archive', 'merge', 'restore'] as const)
  if (what === 'restore') {
    const made = bench.simulator.portal(enterprise).everMade(type)
    // A record that was deleted more than once stays in the bin: its earlier associations are unknown.
    const hasHeir = (one: (typeof made)[number]) =>
      keyOf(kind, one) !== '' &&
      made.some((other) => keyOf(kind, other) === keyOf(kind, one) && Number(other.id) > Number(one.id))
    const binned = random.shuffle(
      made.filter((one) => one.archivedAt !== null && one.mergedInto === null && !hasHeir(one)),
    )
    // If another record has its key by now, HubSpot must refuse.
    if (binned[0]) {
      const key = keyOf(kind, binned[0])
      deeds.inHubspot = deeds.inHubspot.filter((one) => one !== key)
      await act('restore', { id: binned[0].id }).catch(() => {})
    }
    return
  }
  deeds.inHubspot.push(keyOf(kind, first))
  if (what === 'merge') {
    deeds.inHubspot.push(keyOf(kind, second))
    await act('merge', { primaryId: first.id, secondaryId: second.id })
  } else if (what === 'archive') {
    deeds.deleted.add(first.id)
    await act('archive', { id: first.id })
  } else await act('edit', { id: first.id, properties: editOf(kind, random) })
}

function editOf(kind: RecordKind, random: Random): Record<string, string> {
  const value = `${random.int(1, 1_000_000)}`
  if (kind === 'company') return { name: `Renamed ${value}` }
  if (kind === 'contact') return { firstname: `Renamed ${value}` }
  return kind === 'subscription'
    ? random.pick([{ mrr: value }, { product_name: value }, { customer_name: '' }])
    : random.pick([{ mrr_change: value }, { event_name: value }])
}

/** The fewest and most subscriptions after some rounds. */
const fewest = 6
const most = 24

/** A change in the account at the payment provider, as the import and the rebuild would store it. */
export async function actInLedger(bench: Bench, random: Random, done: Deeds, number: number): Promise<void> {
  const known = await listSubscriptionIds(bench)
  const id = known.length === 0 ? '' : random.pick(known).replace('sub_', '')
  const usual = ['mrr', 'mrr', 'rename', 'address', 'undo'] as const
  const what =
    known.length < fewest ? 'new' : random.pick(known.length < most ? [...usual, 'new' as const] : usual)
  const host = random.pick(['alpha', 'beta', 'gamma', 'delta', 'twin'])
  const at = bench.deps.now()
  if (what === 'new' || what === 'mrr') {
    const name = what === 'new' ? `n${number}` : id
    const row = { id: name, name: `Firm ${name}`, email: `p${number}@${host}.example` }
    await saveLedger(bench, [{ ...row, mrrCents: random.int(1, 90) * 100 }])
    done.inLedger.push(`sub_${name}`, `ev_${name}`)
    return
  }
  await inOrganization(bench.deps.database, bench.organizationId, async ({ sql, organizationId }) => {
    const events = sql.deleteFrom('events').where('organization_id', '=', organizationId)
    if (what === 'undo') await events.where('id', '=', `ev_${id}`).execute()
    else {
      const name = random.chance(0.2) ? 'Refused by HubSpot' : `Name ${number}`
      await sql
        .updateTable('customers')
        .set(what === 'rename' ? { name } : { email: `q${number}@${host}.example` })
        .where('organization_id', '=', organizationId)
        .where('id', '=', `cus_${id}`)
        .execute()
      await sql
        .updateTable('subscriptions')
        .set({ updated_at: at })
        .where('organization_id', '=', organizationId)
        .where('id', '=', `sub_${id}`)
        .execute()
    }
  })
  done.inLedger.push(`sub_${id}`, `ev_${id}`)
}

async function listSubscriptionIds({ deps, organizationId }: Bench): Promise<string[]> {
  const rows = await inOrganization(deps.database, organizationId, ({ sql }) =>
    sql
      .selectFrom('subscriptions')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute(),
  )
  return rows.map(({ id }) => id)
}

/** Makes HubSpot fail now and then, in one of its ways. */
export async function breakSomething(bench: Bench, random: Random): Promise<void> {
  const fault = random.pick([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 423 },
    { kind: 'status', status: 477, retryAfter: '7200' },
    { kind: 'status', status: 400, category: 'VALIDATION_ERROR', message: 'no' },
    { kind: 'status', status: 409, category: 'CONFLICT', message: 'no' },
    { kind: 'rate_limit', policyName: 'TEN_SECONDLY_ROLLING' },
    { kind: 'rate_limit', policyName: 'DAILY' },
    { kind: 'lost_answer' },
    { kind: 'lost_answer', status: 504 },
    { kind: 'reset' },
    { kind: 'truncate' },
    { kind: 'html' },
    { kind: 'html', status: random.pick([400, 404, 408, 409, 421, 499]) },
    { kind: 'empty' },
    { kind: 'unread' },
  ])
  const match = { pathPrefix: '/crm/', nth: random.int(1, 25), times: random.int(1, 8) }
  await bench.control('/_faults', { ...fault, match })
}
