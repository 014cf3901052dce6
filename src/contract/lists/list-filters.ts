import { z } from 'zod'
import { isDay } from '#domain/date-range.ts'
import { mrrStatuses } from '#domain/event.ts'
import { splitValues } from '#domain/value-list.ts'
import { day, id, storedText } from '../fields.ts'

const valuesMax = 50

/** Several values in one parameter, as `joinValues` writes them; null stands for rows without a value. */
const severalOrNone = <Value extends z.ZodType<unknown, string>>(value: Value) =>
  // Names may begin or end with a space.
  storedText(4_000)
    .transform(splitValues)
    .pipe(z.array(value.nullable()).max(valuesMax, `has more than ${valuesMax} values`))
    .optional()

/** The same for columns that always have a value. */
const several = <Value extends z.ZodType<unknown, string>>(value: Value) =>
  storedText(4_000)
    .transform(splitValues)
    .pipe(z.array(value).max(valuesMax, `has more than ${valuesMax} values`))
    .optional()

/** The same, where 'all' stands for no filter, also beside other values. */
const severalOrAll = <Value extends z.ZodType<unknown, string>>(value: Value) =>
  storedText(4_000)
    .transform((text) => {
      const values = splitValues(text)
      return values.includes('all') ? undefined : values
    })
    .pipe(z.array(value).max(valuesMax, `has more than ${valuesMax} values`).optional())
    .optional()

const yesOrNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional()

export const filterDay = day.refine(isDay, 'must lie between 1970 and 2199').optional()

const filterMonth = z
  .string()
  .regex(/^(19[7-9]\d|20\d\d|21\d\d)-(0[1-9]|1[0-2])$/, 'must be a month like 2026-01, from 1970 to 2199')
  .optional()

/** Months (UTC), both included, of the first payment of the customer. Without it, a customer meets neither. */
export const firstPaid = { firstPaidFrom: filterMonth, firstPaidTo: filterMonth }

/**
 * Whole minor units of the reporting currency: 50000 is $500.00. What has no rate meets no such filter. A customer with some
 * such money meets the lower end alone, by the rest.
 */
const amount = z
  .string()
  .regex(/^(0|-?[1-9][0-9]{0,14})$/, 'must be a whole number of cents, such as 50000')
  .transform(Number)
  .optional()

/** Current MRR, both included. */
const mrrBetween = { mrrFrom: amount, mrrTo: amount }

const wholeDays = (max: number) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,5})$/, 'must be a whole number of days')
    .transform(Number)
    .refine((days) => days <= max, `must be at most ${max}`)

/** What a subscription is now. */
const bought = {
  product: severalOrNone(z.string()),
  currency: several(z.string().regex(/^[a-z]{3,5}$/, 'must be a currency code in lower case')),
  /** Days between two bills, with a month as 30 and a year as 365. */
  interval: severalOrNone(wholeDays(999_999)),
}

/** The provider's own words; a word that it adds later is accepted. */
const subscriptionStatus = severalOrAll(z.string().max(50))

/** The filters that both lists have. */
const segment = {
  ...bought,
  plan: severalOrNone(z.string()),
  /** The band of its highest MRR. */
  size: severalOrNone(z.string().max(50)),
  /** Whether the customer has a company in HubSpot. */
  isMatched: yesOrNo,
  customerId: id.optional(),
  ...firstPaid,
  /** Whether HubSpot has the row's record, and whether it refused the record. */
  isInHubspot: yesOrNo,
  isFailing: yesOrNo,
  /** Whether it changed since HubSpot confirmed its record. One without a record did not. */
  isBehind: yesOrNo,
  /** UTC days, both included: of the event, or of the subscription's creation. */
  from: filterDay,
  to: filterDay,
}

export const eventFilters = {
  ...segment,
  /** Of the customers whose MRR is more, or less, after the days than before them. */
  customersPay: z.enum(['more', 'less'], 'must be more or less').optional(),
  mrrStatus: severalOrAll(z.enum(mrrStatuses, `must be one of ${mrrStatuses.join(', ')}`)),
  /** The change of MRR, both included; less MRR is below 0. */
  changeFrom: amount,
  changeTo: amount,
}

export const subscriptionFilters = {
  ...segment,
  status: subscriptionStatus,
  /** Renews within this many days from today (UTC). */
  renewsWithinDays: wholeDays(3_650).optional(),
  /** Whether its end is planned. */
  isCanceling: yesOrNo,
  /** Whether its last change has been on the way to HubSpot for longer than promised. */
  isStale: yesOrNo,
  ...mrrBetween,
}

export const customerFilters = {
  /** Whether the customer has a company in HubSpot, or that a person left it out of the review. */
  isMatched: z
    .enum(['true', 'false', 'ignored'], 'must be true, false or ignored')
    .transform((value) => (value === 'ignored' ? value : value === 'true'))
    .optional(),
  ...firstPaid,
  /** Has a subscription that meets all of these at once. */
  status: subscriptionStatus,
  ...bought,
  /** Has MRR at the end of this UTC day. */
  payingOn: filterDay,
  ...mrrBetween,
}

/** Of an organization's activity. */
export const activityFilters = {
  /** An account by its number, those that were deleted, or what Tributary did by itself. */
  personId: z
    .union(
      [
        z
          .string()
          .regex(/^[1-9][0-9]{0,8}$/)
          .transform(Number),
        z.enum(['deleted', 'nobody']),
      ],
      'must be the number of an account, deleted or nobody',
    )
    .optional(),
  action: several(z.string().max(50)),
  /** UTC days, both included. */
  from: filterDay,
  to: filterDay,
}

/** Refuses a period that ends before it begins. */
export const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to
export const notInOrder = { path: ['from'], message: 'must not be after the last day' }
