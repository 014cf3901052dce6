import { dayOfDate } from '#domain/instant.ts'
import { convertSubscription } from '#domain/reporting/conversion.ts'
import type { Deps } from '../../deps.ts'
import { settleCustomers } from '../../store/payments/customers.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import {
  type ConvertibleSubscription,
  isConverting,
  lockConversion,
  markRecordsOutdated,
  noteConverted,
  saveConverted,
  takeConvertible,
} from '../../store/reporting/conversions.ts'
import { holdReporting, type Reporting } from '../../store/reporting/reporting.ts'
import { addUpTotals } from '../../store/totals/list-totals.ts'
import { writeMovements } from '../../store/totals/movement-totals.ts'
import { conversionFor } from './conversion-for.ts'
import { deriveReportedSnapshots } from './derive-snapshots.ts'

/** One transaction converts this number of subscriptions. */
const subscriptionsAtOnce = 500

/**
 * Converts what is not in the reporting currency again, after another setting, other rates, or on another day if levels
 * are revalued. Each batch is a transaction, after which the next call goes on. Adds up totals at the end.
 */
export async function convertAnew(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
  batchesMax: number,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const done = await inOrganization(deps.database, organizationId, (tenant) =>
      convertNext(tenant, deps.now()),
    )
    if (done === 'all') await inOrganization(deps.database, organizationId, addUpTotals)
    if (done !== 'part') return
  }
}

async function convertNext(tenant: Tenant, now: Date): Promise<'nothing' | 'part' | 'all'> {
  // Most organizations never asked for a conversion, and this is all that it costs them each minute.
  const state = await lockConversion(tenant)
  if (!state) return 'nothing'
  const reporting = await holdReporting(tenant)
  const { requested } = state
  const day = dayOfDate(now)
  // No subscription gives a currency yet. Those that come are converted as they are written.
  if (reporting.currency === null) {
    if (requested !== state.done)
      await noteConverted(tenant, { requested, afterId: undefined, day, currency: null })
    return 'nothing'
  }
  const isOld = reporting.method === 'revalued' && state.day !== null && state.day < day
  if (requested === state.done && !isOld && state.afterId === '') return 'nothing'
  const limit = subscriptionsAtOnce
  const { currency } = reporting
  const isOtherCurrency = state.currency !== currency
  const due = await takeConvertible(tenant, { currency, isOtherCurrency, afterId: state.afterId, limit })
  await convertThese(tenant, due, reporting, now)
  if (isOtherCurrency) await markRecordsOutdated(tenant, due)
  const afterId = due.length < limit ? undefined : due.at(-1)?.id
  if (afterId === undefined) await deriveReportedSnapshots(tenant, now, now)
  await noteConverted(tenant, { requested, afterId, day, currency })
  return afterId === undefined ? 'all' : 'part'
}

async function convertThese(
  tenant: Tenant,
  due: readonly ConvertibleSubscription[],
  reporting: Reporting,
  now: Date,
): Promise<void> {
  const conversion = await conversionFor(tenant, reporting, due, now)
  const converted = due.map((one) => ({ one, ...convertSubscription(conversion, one, one.events) }))
  const customerIds = [...new Set(due.map(({ customerId }) => customerId))]
  await writeMovements(tenant, customerIds, () =>
    saveConverted(tenant, {
      events: converted.flatMap(({ one, changes }) =>
        one.events.map(({ id }, index) => ({ id, ...(changes[index] ?? { cents: null, rate: null }) })),
      ),
      subscriptions: converted.map(({ one, mrr }) => ({ id: one.id, ...mrr })),
    }),
  )
  await settleCustomers(tenant, customerIds, 'keep')
}

/** The longest wait for the end of a conversion, in seconds. */
const secondsMax = 600

/** Converts all that is due, or waits while another process does. */
export async function finishConverting(
  deps: Pick<Deps, 'database' | 'now' | 'sleep'>,
  organizationId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (let second = 0; second < secondsMax; second += 1) {
    signal?.throwIfAborted()
    if (!(await inOrganization(deps.database, organizationId, isConverting))) return
    await convertAnew(deps, organizationId, batchesOfMinute)
    if (!(await inOrganization(deps.database, organizationId, isConverting))) return
    await deps.sleep(1_000, signal)
  }
}

/** Converts a part of what is due, as the clock asks each minute. */
export async function followRates(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
): Promise<void> {
  await convertAnew(deps, organizationId, batchesOfMinute)
}

const batchesOfMinute = 20

/** Converts the first rows that are due at once, so that most people see the result immediately. */
export async function convertAtOnce(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
): Promise<void> {
  await convertAnew(deps, organizationId, batchesAtOnce)
}

const batchesAtOnce = 4
