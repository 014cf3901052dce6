import { companyKey } from '#server/providers/hubspot/company-key.ts'
import { companyTypeId } from '#simulators/hubspot/entities.ts'
import { expectedEvents } from '#simulators/worlds/expected/expected-events.ts'
import { currentlyActive, currentMrr } from '#simulators/worlds/expected/truth.ts'
import { run } from '#test/database.ts'
import { keptRow } from '#test/kept-rows.ts'
import { differencesOf } from '#test/outage/outcome.ts'
import { openPortal } from '../../e2e/portal.ts'
import type { Owner } from './owner.ts'
import type { ChaosStage } from './stage.ts'
import type { TakenBack } from './taken-back.ts'

const statuses = ['New', 'Upgrade', 'Downgrade', 'Churn', 'Reactivation', 'Planned_Cancellation'] as const
/** What makes up a ledger: events with receipts, the snapshots of each month's first, and the objects behind both. */
const ledgerTables = ['events', 'snapshots', 'subscriptions', 'customers', 'invoices', 'invoice_payments']
/** The fields that a push adds to a customer; a ledger that was never pushed lacks them. */
const ofPush = `- 'is_attached' - 'company_name' - 'search_text'`

type Figures = { currentMrr: number; activeSubscriptions: number }

/** The figures on our screens that differ from the simulated account's, in words; and the displayed MRR. */
export async function findWrongFigures(
  stage: ChaosStage,
  owner: Owner,
  takenBack: TakenBack,
): Promise<{ wrong: string[]; mrr: number }> {
  const { truth } = stage.account()
  const inDollars = truth.subscriptions.filter(({ currency }) => currency === 'usd')
  const shown = await owner.get<Figures>('/api/dashboard/stats')
  const pairs: [string, number, number][] = [
    ['MRR', shown.currentMrr, currentMrr(truth).get('usd') ?? 0],
    [
      'active subscriptions',
      shown.activeSubscriptions,
      currentlyActive({ ...truth, subscriptions: inDollars }),
    ],
  ]
  const expected = expectedEvents(truth)
  takenBack.see(expected)
  for (const status of statuses) {
    const { totalCount } = await owner.get<{ totalCount: number }>(
      `/api/stripe/transactions?mrrStatus=${status}&limit=10`,
    )
    const ofTruth = expected.filter(({ mrrStatus }) => mrrStatus === status).length
    const more = status === 'Planned_Cancellation' ? takenBack.ids().size : 0
    pairs.push([status, totalCount, ofTruth + more])
  }
  const wrong = pairs.flatMap(([what, is, right]) => (is === right ? [] : [`${what} ${is} for ${right}`]))
  return { wrong, mrr: shown.currentMrr }
}

/** Rows in the ledger of one organization that the other one lacks, one per line. */
export async function compareLedgers(
  stage: ChaosStage,
  { followed, fresh, takenBack }: { followed: Owner; fresh: Owner; takenBack: TakenBack },
): Promise<string[]> {
  const gone = takenBack.ids()
  const ledgerOf = async ({ organizationId }: Owner) => {
    const ledger: Record<string, string[]> = {}
    for (const table of ledgerTables) {
      const rows = await run<{ row: { id?: unknown } }>(
        stage.ownerUrl,
        `select ${keptRow} ${ofPush} as row from ${table} t where organization_id = $1`,
        [organizationId],
      )
      ledger[table] = rows
        .filter(({ row }) => organizationId === fresh.organizationId || !gone.has(String(row.id)))
        .map(({ row }) => JSON.stringify(row))
        .sort()
    }
    return ledger
  }
  const [one, other] = [await ledgerOf(followed), await ledgerOf(fresh)]
  const count = ledgerTables.reduce((sum, table) => sum + (other[table]?.length ?? 0), 0)
  return count === 0 ? ['The fresh ledger is empty.'] : differencesOf(one, other)
}

/** Runs that no worker processes any more and that never ended. */
export async function findOpenRuns(stage: ChaosStage): Promise<string[]> {
  const rows = await run<{ id: string; kind: string }>(
    stage.ownerUrl,
    `select id, kind from runs where status = 'in_progress'`,
  )
  return rows.map(({ id, kind }) => `the ${kind} ${id} is open`)
}

/** How many of our keys HubSpot has, and which are wrong: duplicate, unknown or missing. */
export async function checkPortal(stage: ChaosStage): Promise<{ keys: number; wrong: string[] }> {
  const portal = await openPortal(stage.hubspotUrl)
  const ours = async (type: string, key: string) =>
    (await portal.records(type, [key])).flatMap(({ properties }) => properties[key] ?? [])
  const keysOf = async (from: string) =>
    (await run<{ id: string }>(stage.ownerUrl, `select distinct id from ${from}`)).map(({ id }) => id)
  const subscriptions = await ours(
    await portal.objectTypeId('tributary_subscription'),
    'stripe_subscription_id',
  )
  const events = await ours(await portal.objectTypeId('tributary_event'), 'tributary_event_id')
  const companies = await portal.records(companyTypeId, [companyKey, 'domain'])
  const made = companies.flatMap(({ properties }) => properties[companyKey] ?? [])
  const domains = companies.flatMap(({ properties }) => properties['domain'] ?? [])
  return {
    keys: subscriptions.length + events.length + made.length,
    wrong: [
      ...twice('subscription', subscriptions),
      ...twice('event', events),
      ...twice('company', made),
      // A company of ours beside an existing one; some were duplicates from the beginning.
      ...twice(
        'domain',
        domains.filter((domain) => made.includes(domain)),
      ),
      ...unlike('subscription', subscriptions, await keysOf('subscriptions where quantity is not null')),
      ...unlike('event', events, await keysOf('events')),
    ],
  }
}
/** The entries that occur more than once in a list. */
export function twice(what: string, keys: readonly string[]): string[] {
  return [...Map.groupBy(keys, (key) => key)].flatMap(([key, { length }]) =>
    length > 1 ? [`${what} ${key} stands ${length} times in HubSpot`] : [],
  )
}

/** The entries that only HubSpot has or only we have. */
export function unlike(what: string, there: readonly string[], here: readonly string[]): string[] {
  const [inHubspot, inLedger] = [new Set(there), new Set(here)]
  return [
    ...[...inHubspot]
      .filter((key) => !inLedger.has(key))
      .map((key) => `${what} ${key} stands in HubSpot alone`),
    ...[...inLedger].filter((key) => !inHubspot.has(key)).map((key) => `${what} ${key} is not in HubSpot`),
  ]
}
