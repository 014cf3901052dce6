import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instant } from '#domain/instant.ts'
import type { ScheduleName } from '#server/jobs/queues.ts'
import { followClock } from '#server/jobs/schedules.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { getReporting, setReporting } from '#server/store/reporting/reporting.ts'
import { createRandom } from '#simulators/worlds/numbers/random.ts'
import { figuresOf } from './crm-figures.ts'
import { run as query } from './database.ts'
import type { TestWorld } from './harness.ts'
import { createClockwork } from './hour/clockwork.ts'
import { openMortalWorkers } from './hour/mortal-workers.ts'
import { type HourOrganization, openOrganizations } from './hour/organizations.ts'
import { dumpOf, type ImportStage, stageImport } from './import/stage-import.ts'

const count = Number(process.env['HOUR_ORGANIZATIONS'] ?? 5)
const minutes = Number(process.env['HOUR_MINUTES'] ?? 12)
const seed = Number(process.env['HOUR_SEED'] ?? 1)
const changesEach = 3
const minuteMs = 60_000
/** How long a change may take to HubSpot: gathered changes of a webhook, and the look's five minutes. */
const promisedMs = { webhook: 30_000, look: 5 * minuteMs + 15_000 }
/** A run whose worker died shortly before a change may hold it up. */
const shadowMs = 90_000

type Change = { organization: HourOrganization; at: number; events: string[] }
let world: TestWorld
let organizations: HourOrganization[]
const changes: Change[] = []
const deaths: { organizationId: number; at: number }[] = []

beforeAll(async () => {
  ;({ world, organizations } = await openOrganizations(count, seed))
  const clock = {
    get ms() {
      return world.now().getTime()
    },
    moveTo: (ms: number) => void world.deps.sleep(ms - world.now().getTime()),
  }
  const chance = createRandom(seed, 1)
  const random = () => chance.next()
  const clockwork = createClockwork(clock)
  const { boss, becomeImmortal } = openMortalWorkers(world.deps, {
    clockwork,
    clock,
    random,
    onDeath: (organizationId) => void deaths.push({ organizationId, at: clock.ms }),
  })
  const begin = Math.ceil(clock.ms / minuteMs) * minuteMs
  const planTicks = (from: number, until: number) => {
    for (let at = from; at < until; at += minuteMs)
      for (const name of ['sweep', 'sync', 'look', 'refresh'] satisfies ScheduleName[])
        clockwork.plan(at, () =>
          followClock(world.deps, boss, { name, at: new Date(at) }, new AbortController().signal),
        )
  }
  const end = begin + minutes * minuteMs
  planTicks(begin, end)
  for (const organization of organizations)
    for (let number = 0; number < changesEach; number += 1)
      clockwork.plan(begin + random() * minutes * minuteMs, async () => {
        const at = clock.ms
        changes.push({ organization, at, events: await organization.change() })
      })
  await clockwork.runUntil(end)
  // The next look and sweep of everyone end what the last deaths left.
  becomeImmortal()
  planTicks(end, end + 8 * minuteMs)
  await clockwork.runUntil(end + 8 * minuteMs)
}, 3 * 3_600_000)
afterAll(() => world?.close())

/** Rows without the columns that matching with the CRM fills, which a fresh import does not do. */
function withoutMatches(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const ofMatching = new Set(['company_name', 'is_attached', 'search_text'])
  const strip = (row: unknown) =>
    Object.fromEntries(Object.entries(Object(row)).filter(([name]) => !ofMatching.has(name)))
  return Object.fromEntries(Object.entries(dump).map(([table, rows]) => [table, rows.map(strip)]))
}

/**
 * Rows without the payment method of deleted customers: Stripe shows it no longer, so only a ledger that followed the
 * account still has it.
 */
function withoutWhatDeletedCustomersPaidWith(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const deleted = new Set(
    (dump['customers'] ?? []).flatMap((row) => (Object(row).is_deleted ? Object(row).id : [])),
  )
  const ownerOf = (table: string, row: unknown) =>
    table === 'customers' ? Object(row).id : Object(row).customer_id
  return Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [
      table,
      rows.map((row) =>
        deleted.has(ownerOf(table, row)) && Object(row).payment_method !== undefined
          ? { ...Object(row), payment_method: null }
          : row,
      ),
    ]),
  )
}

/**
 * Rows without discounts that have ended: Stripe leaves them out from then on, and no event says so. Figures know the
 * end from the discount itself.
 */
function withoutEndedDiscounts(value: unknown, now: Instant): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutEndedDiscounts(one, now))
  if (value === null || typeof value !== 'object') return value
  const isOver = (discount: unknown) => Object(discount).endsAt !== null && Object(discount).endsAt <= now
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      withoutEndedDiscounts(
        name === 'discounts' && Array.isArray(one) ? one.filter((each) => !isOver(each)) : one,
        now,
      ),
    ]),
  )
}

/** The currency of totals was chosen at the first import, by what the account had then. */
async function decideCurrency(made: ImportStage, organizationId: number): Promise<void> {
  const { currency } = await inOrganization(world.deps.database, organizationId, getReporting)
  if (currency === null) return
  await inOrganization(made.deps.database, made.organizationId, (tenant) =>
    setReporting(tenant, { currency }),
  )
}

describe('after an hour of changes and dying workers', () => {
  it('something happened, and workers died', () => {
    expect(changes).toHaveLength(count * changesEach)
    expect(deaths.length).toBeGreaterThan(0)
  })

  it('every ledger equals a fresh import', async () => {
    let fresh: ImportStage | undefined
    try {
      for (const { organizationId, account } of organizations) {
        const made: ImportStage = fresh
          ? await fresh.another(`Fresh ${organizationId}`)
          : await stageImport({ world: account() })
        fresh ??= made
        made.simulator.setWorld(account())
        await decideCurrency(made, organizationId)
        await made.importAll()
        const now = Date.parse(account().as_of) / 1000
        const comparable = (dump: Record<string, unknown[]>) =>
          withoutEndedDiscounts(withoutWhatDeletedCustomersPaidWith(withoutMatches(dump)), now)
        const lived = comparable(await dumpOf(world.ownerUrl, organizationId))
        // The others are told as well.
        expect.soft(lived, `organization ${organizationId}`).toEqual(comparable(await made.dump()))
      }
    } finally {
      await fresh?.close()
    }
  }, 3_600_000)

  it('every record is in HubSpot', async () => {
    for (const { organizationId, portal } of organizations) {
      const { ledger, crm } = await figuresOf(world, organizationId, portal)
      expect(crm, `organization ${organizationId}`).toEqual(ledger)
    }
  })

  it('no change of an undisturbed organization came later than promised', async () => {
    const arrivals = await query<{ id: string; organizationId: number; pushedAt: Date | null }>(
      world.ownerUrl,
      `select id, organization_id as "organizationId",
              (select min(completed_at) from runs p
                where p.organization_id = c.organization_id and kind = 'push' and status = 'completed'
                  and created_at >= c.settled_at) as "pushedAt"
         from payment_changes c`,
    )
    const late = changes.flatMap(({ organization: { organizationId, hasWebhook }, at, events }) => {
      const pushed = arrivals
        .filter((one) => one.organizationId === organizationId && events.includes(one.id))
        .map(({ pushedAt }) => pushedAt?.getTime() ?? Number.POSITIVE_INFINITY)
      const arrivedAt = Math.max(...pushed)
      const isDisturbed = deaths.some(
        (death) =>
          death.organizationId === organizationId && death.at >= at - shadowMs && death.at <= arrivedAt,
      )
      const tookMs = arrivedAt - at
      const isLate = tookMs > (hasWebhook ? promisedMs.webhook : promisedMs.look)
      return isLate && !isDisturbed ? [{ organizationId, hasWebhook, seconds: tookMs / 1_000 }] : []
    })
    expect(late).toEqual([])
  })
})
