import { convertSubscription } from '#domain/reporting/conversion.ts'
import type { Deps } from '../../deps.ts'
import { settleCustomers } from '../../store/payments/customers.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import {
  type ConvertibleSubscription,
  lockConversion,
  noteConverted,
  requestConversion,
  saveConverted,
  takeConvertible,
} from '../../store/reporting/conversions.ts'
import { holdReporting, type Reporting } from '../../store/reporting/reporting.ts'
import { writeMovements } from '../../store/totals/movement-totals.ts'
import { conversionFor } from './conversion-for.ts'
import { deriveReportedSnapshots } from './derive-snapshots.ts'

/** One transaction converts this number of subscriptions. */
const subscriptionsAtOnce = 500

/**
 * Converts what is not in the reporting currency anew, after another setting, other rates, or on another day if levels
 * are revalued. Each batch is a transaction, and the next call goes on after it. Returns whether rows are left.
 */
export async function convertAnew(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
  batchesMax: number,
): Promise<boolean> {
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const isLeft = await inOrganization(deps.database, organizationId, (tenant) =>
      convertNext(tenant, deps.now()),
    )
    if (!isLeft) return false
  }
  return true
}

async function convertNext(tenant: Tenant, now: Date): Promise<boolean> {
  // Most organizations never asked for a conversion, and this is all that it costs them each minute.
  const state = await lockConversion(tenant)
  if (!state) return false
  const reporting = await holdReporting(tenant)
  if (reporting.currency === null) return false
  const day = now.toISOString().slice(0, 10)
  const isOld = reporting.method === 'revalued' && state.day !== null && state.day < day
  if (state.requested === state.done && !isOld && state.afterId === '') return false
  const limit = subscriptionsAtOnce
  const due = await takeConvertible(tenant, { currency: reporting.currency, afterId: state.afterId, limit })
  await convertThese(tenant, due, reporting, now)
  const afterId = due.length < limit ? undefined : due.at(-1)?.id
  if (afterId === undefined) await deriveReportedSnapshots(tenant, now, now)
  await noteConverted(tenant, { requested: state.requested, afterId, day })
  return afterId !== undefined
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

/** Converts a part of what is due, as the clock asks each minute. */
export async function followRates(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
): Promise<void> {
  await convertAnew(deps, organizationId, batchesOfMinute)
}

const batchesOfMinute = 20

/** Makes rows due, and converts the first of them at once, so that most people see the result immediately. */
export async function requestAndConvert(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: number,
): Promise<boolean> {
  await inOrganization(deps.database, organizationId, requestConversion)
  return convertAnew(deps, organizationId, batchesAtOnce)
}

const batchesAtOnce = 4
