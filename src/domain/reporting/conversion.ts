import type { MrrEvent } from '../event.ts'
import { dayOfInstant } from '../instant.ts'
import { ratio } from '../mrr/exact/rational.ts'
import { convertCents, type FoundRate, rateText, roundMinor } from './rate.ts'

/**
 * 'booked': an increase at the rate of its day; a decrease takes out its share of what was booked. 'revalued': each change
 * at the rate of its day, and levels at the rate of today.
 */
export const conversionMethods = ['booked', 'revalued'] as const
export type ConversionMethod = (typeof conversionMethods)[number]

/** The rate from a currency to the reporting currency on a day; null if none is known. */
export type RateOf = (currency: string, day: string) => FoundRate | null

/** What conversion depends on besides the rows: the currency, null before any is known; and the present day. */
export type Conversion = { currency: string | null; method: ConversionMethod; today: string; rateOf: RateOf }

/** What a conversion reads of an event. */
export type ConvertibleChange = Pick<
  MrrEvent,
  'occurredAt' | 'currency' | 'previousMrrCents' | 'currentMrrCents' | 'mrrChangeCents'
>

/** An amount in minor units of the reporting currency, null without a rate, and the rate in words. */
export type Converted = { cents: number | null; rate: string | null }

/** The figures of one subscription. */
export type ConvertedSubscription = {
  /** One for each event, in their order. */
  changes: Converted[]
  mrr: Converted
}

const nothing: Converted = { cents: null, rate: null }
const zero: Converted = { cents: 0, rate: null }

/** Converts a subscription with its events in their order. Amounts in the reporting currency and zeros need no rate. */
export function convertSubscription(
  conversion: Conversion,
  subscription: { currency: string; currentMrrCents: number },
  events: readonly ConvertibleChange[],
): ConvertedSubscription {
  const convert = conversion.method === 'booked' ? convertAsBooked : convertRevalued
  return convert(conversion, subscription, events)
}

function convertRevalued(
  conversion: Conversion,
  { currency, currentMrrCents }: { currency: string; currentMrrCents: number },
  events: readonly ConvertibleChange[],
): ConvertedSubscription {
  return {
    changes: events.map((event) =>
      atRateOf(conversion, event.currency, event.mrrChangeCents, dayOfInstant(event.occurredAt)),
    ),
    mrr: atRateOf(conversion, currency, currentMrrCents, conversion.today),
  }
}

/** If one increase has no rate, nothing of the subscription has: half a level would be neither in the total nor beside it. */
function convertAsBooked(
  conversion: Conversion,
  { currency, currentMrrCents }: { currency: string; currentMrrCents: number },
  events: readonly ConvertibleChange[],
): ConvertedSubscription {
  let level = 0
  let words: string | null = null
  const changes: Converted[] = []
  for (const event of events) {
    const change = bookedChange(conversion, event, level)
    if (change.cents === null || !Number.isSafeInteger(level + change.cents)) break
    level += change.cents
    words = wordsAfter(event, words, change.rate)
    changes.push(change)
  }
  const isWhole = changes.length === events.length
  const ofEvents = isWhole
    ? changes
    : events.map(({ mrrChangeCents }) => (mrrChangeCents === 0 ? zero : nothing))
  if ((events.at(-1)?.currentMrrCents ?? 0) === currentMrrCents)
    return {
      changes: ofEvents,
      mrr: isWhole ? { cents: level, rate: words } : currentMrrCents === 0 ? zero : nothing,
    }
  // While its history is being read, the level has no events yet.
  return { changes: ofEvents, mrr: atRateOf(conversion, currency, currentMrrCents, conversion.today) }
}

const asBooked = 'at the rates that it was booked at'

function bookedChange(conversion: Conversion, event: ConvertibleChange, level: number): Converted {
  const { currency, mrrChangeCents, previousMrrCents, currentMrrCents } = event
  if (mrrChangeCents >= 0 || currency === conversion.currency)
    return atRateOf(conversion, currency, mrrChangeCents, dayOfInstant(event.occurredAt))
  if (currentMrrCents <= 0 || previousMrrCents <= 0) return { cents: -level, rate: asBooked }
  if (conversion.currency === null) return nothing
  const share = ratio(BigInt(level) * BigInt(currentMrrCents), BigInt(previousMrrCents))
  const left = roundMinor(share, conversion.currency)
  return { cents: left - level, rate: asBooked }
}

/** The rate of a level: that of its only increase, or several. */
function wordsAfter(event: ConvertibleChange, before: string | null, rate: string | null): string | null {
  if (event.currentMrrCents === 0) return null
  if (event.mrrChangeCents <= 0 || rate === null) return before
  return before === null || before === rate ? rate : `at the rates of its changes, the last ${rate}`
}

function atRateOf({ currency: to, rateOf }: Conversion, from: string, cents: number, day: string): Converted {
  if (cents === 0 || from === to) return { cents, rate: null }
  const found = to === null ? null : rateOf(from, day)
  if (to === null || !found) return nothing
  const converted = convertCents(cents, from, to, found.rate)
  return converted === null ? nothing : { cents: converted, rate: rateText(found, from, to) }
}
