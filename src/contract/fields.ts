import { z } from 'zod'
import { isDay } from '#domain/date-range.ts'
import { searchedText } from './lists/searched-text.ts'

/** Text without characters that PostgreSQL cannot store. */
export const storedText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'contains characters that cannot be kept',
    )

/** Text that a user typed, trimmed. */
export const text = (maxLength: number) => z.string().trim().pipe(storedText(maxLength))

/** An identifier of ours or of a provider, as a path or a body contains it. */
export const id = z.string().regex(/^[A-Za-z0-9_:.-]{1,255}$/, 'is not an identifier')

/** A key of HubSpot as a person pastes it. Long enough for every kind, so that a wrong kind is named instead of cut. */
export const serviceKey = z.string().max(1_000)

const wholeNumber = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/, 'must be a whole number from 1')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`)
    .default(fallback)

/** Page numbers count from 1. */
export const page = wholeNumber(1, 1_000_000)
export const limit = (fallback: number) => wholeNumber(fallback, 100)

/** A text to search for, as a person means it. */
export const searched = text(200).transform(searchedText)

export const search = searched.default('')

/**
 * Counts the rows of all pages, exactly while no run is in progress; during one, rows and total may be read one
 * transaction apart. A search counts up to 1,000, and `isCapped` says that it found more.
 */
export const counted = { totalCount: z.int(), isCapped: z.boolean() }

/** An instant in the API: ISO 8601 in UTC. */
export const instant = z.iso.datetime()
/** A calendar day in the API: YYYY-MM-DD. */
export const day = z.iso.date('must be a day like 2026-01-31')
/** The first and last UTC day of a range; either may be left out. */
export const rangeDays = {
  from: z.string().refine(isDay, 'must be a day like 2026-01-31, from 1970 to 2199').optional(),
  to: z.string().refine(isDay, 'must be a day like 2026-01-31, from 1970 to 2199').optional(),
}

/** An integer in minor units (cents) of the currency beside it. */
export const cents = z.int()
/** A currency code of ISO 4217 in lower case. */
export const currency = z.string()

export const done = z.object({ success: z.literal(true), message: z.string() })
