import { cents, ordered } from './cents.ts'
import { centsOfParts } from './cents-of-parts.ts'
import { changeTypes, instants } from './changes.ts'
import { classic } from './classic.ts'
import { anchors, backdating, schedules } from './dates.ts'
import { amountsOff, discounts } from './discounts.ts'
import { endings, returns } from './endings.ts'
import type { RuleExample } from './example.ts'
import { exclusions } from './exclusions.ts'
import { firstBills, pendingChanges } from './first-bills.ts'
import { grain } from './grain.ts'
import { intervals } from './intervals.ts'
import { monthEnds } from './month-ends.ts'
import { partsOfPeriods } from './parts.ts'
import { pricing, tiers } from './prices.ts'
import { changesInside, lineForms } from './prorations.ts'
import { sharedAmounts } from './shared-amounts.ts'
import { silentChanges } from './silent-changes.ts'
import { invoiceStatuses, statuses } from './statuses.ts'
import { totals } from './totals.ts'
import { trials } from './trials.ts'
import { unitsOfParts } from './units.ts'
import { zero } from './zero.ts'

/** Every worked example of the rule book. */
export const ruleBook: readonly RuleExample[] = [
  ...intervals,
  ...grain,
  ...silentChanges,
  ...discounts,
  ...amountsOff,
  ...sharedAmounts,
  ...changesInside,
  ...lineForms,
  ...classic,
  ...centsOfParts,
  ...partsOfPeriods,
  ...monthEnds,
  ...unitsOfParts,
  ...firstBills,
  ...pendingChanges,
  ...cents,
  ...ordered,
  ...exclusions,
  ...zero,
  ...trials,
  ...statuses,
  ...invoiceStatuses,
  ...endings,
  ...returns,
  ...changeTypes,
  ...instants,
  ...tiers,
  ...pricing,
  ...backdating,
  ...schedules,
  ...anchors,
  ...totals,
]
