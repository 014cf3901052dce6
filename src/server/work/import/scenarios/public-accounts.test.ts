import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import {
  forms,
  type PublicAccount,
  publicAccount,
  publicAccounts,
  publicSequences,
} from '#test/public-accounts.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

const testTimeoutMs = 60_000

let shared: ImportStage
beforeAll(async () => {
  shared = await stageImport({ world: worldOf('first-month-in-part') })
})
afterAll(() => shared.close())

function worldOf(name: string, form = 'as reported') {
  const { world } = publicAccount(name)
  return readWorld((forms[form]?.(world) ?? world) as object)
}

type EventRow = { subscriptionId: string; occurredAt: string }

async function eventsOf({ db, organizationId }: ImportStage): Promise<EventRow[]> {
  return query<EventRow>(
    db.ownerUrl,
    `select subscription_id as "subscriptionId",
            to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "occurredAt",
            mrr_status as "mrrStatus", change_type as "changeType", previous_mrr_cents::int as "previousMrr",
            current_mrr_cents::int as "currentMrr", mrr_change_cents::int as "mrrChange",
            previous_quantity::int as "previousQuantity", current_quantity::int as "currentQuantity", currency
       from events where organization_id = $1 order by occurred_at, subscription_id`,
    [organizationId],
  )
}

async function expectLedger(stage: ImportStage, { expected }: PublicAccount): Promise<void> {
  const bySubscription = (a: EventRow, b: EventRow): number =>
    a.occurredAt.localeCompare(b.occurredAt) || (a.subscriptionId < b.subscriptionId ? -1 : 1)
  const events = await eventsOf(stage)
  expect(events).toHaveLength(expected.events.length)
  expect([...events].sort(bySubscription)).toMatchObject([...expected.events].sort(bySubscription))
  const subscriptions = await query<{ subscriptionId: string }>(
    stage.db.ownerUrl,
    `select id as "subscriptionId", current_mrr_cents::int as "currentMrr", quantity::int from subscriptions
      where organization_id = $1 and unsupported_reason is null`,
    [stage.organizationId],
  )
  for (const one of expected.subscriptions) {
    expect(subscriptions.find(({ subscriptionId }) => subscriptionId === one.subscriptionId)).toMatchObject(
      one,
    )
  }
}

const both = ['prorations as subscription items', 'prorations as invoice items']

test.each(publicAccounts)(
  '$name, imported with prorations under either parent',
  { timeout: testTimeoutMs },
  async (account) => {
    for (const form of both) {
      const stage = await shared.another(`${account.name} ${form}`)
      stage.simulator.setWorld(worldOf(account.name, form))
      expect(await stage.importAll()).toMatchObject({ status: 'completed' })
      await expectLedger(stage, account)
    }
  },
)

test.each(publicSequences)(
  '%s, then %s, read one after the other',
  { timeout: testTimeoutMs },
  async (...names) => {
    const stage = await shared.another(names.join())
    for (const [index, name] of names.entries()) {
      stage.simulator.setWorld(worldOf(name))
      if (index === 0) await connectPayments(stage.deps, stage.organizationId, demoKey)
      expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
      await expectLedger(stage, publicAccount(name))
    }
  },
)
