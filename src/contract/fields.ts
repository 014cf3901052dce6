import { z } from 'zod'

/** Free text of the user: trimmed, bounded, without control characters that PostgreSQL cannot keep. */
export const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'contains characters that cannot be kept',
    )

/** An identifier of ours or of a provider, as it stands in a path or a body. */
export const id = z.string().regex(/^[A-Za-z0-9_:.-]{1,255}$/, 'is not an identifier')

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

export const search = text(200).default('')

/** How many rows a list has in all pages. A search is counted up to a limit; `isCapped` when it finds more than that. */
export const counted = { totalCount: z.int(), isCapped: z.boolean() }

/** An instant on the wire: ISO 8601 in UTC. */
export const instant = z.iso.datetime()
/** A calendar day on the wire: YYYY-MM-DD. */
export const day = z.iso.date()
/** Integer minor units (cents) of the currency beside it. */
export const cents = z.int()
/** Lower-case ISO 4217. */
export const currency = z.string()

export const done = z.object({ success: z.literal(true), message: z.string() })
