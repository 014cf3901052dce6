import { z } from 'zod'
import { conversionMethods } from '#domain/reporting/conversion.ts'
import { rateSources } from '#domain/reporting/rate.ts'
import { endpoint } from './endpoint.ts'
import { currency, day, instant } from './fields.ts'

const syncSettings = z.object({ autoCreateContacts: z.boolean(), autoCreateCompanies: z.boolean() })

export const getSyncSettings = endpoint({
  method: 'GET',
  path: '/api/settings/sync',
  access: 'member',
  summary: 'Whether missing contacts and companies are created in HubSpot.',
  response: z.object({ syncSettings }),
})

export const saveSyncSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/sync',
  access: 'admin',
  audit: 'settings_changed',
  summary: 'Saves the sync settings; a key that is left out keeps its value.',
  body: z.strictObject({
    syncSettings: z.strictObject({
      autoCreateContacts: z.boolean().optional(),
      autoCreateCompanies: z.boolean().optional(),
    }),
  }),
  response: z.object({ syncSettings }),
})

const chosen = {
  reportingCurrency: z.string().regex(/^[a-z]{3}$/, 'must be a currency such as eur'),
  method: z.enum(conversionMethods),
  source: z.enum(rateSources),
}

/** How totals come about, and which rates they use. */
const reporting = z.object({
  reportingCurrency: currency,
  method: z.enum(conversionMethods),
  source: z.enum(rateSources),
  /** Whether anything is in another currency, so that there is something to choose. */
  hasSeveral: z.boolean(),
  /** The currencies that can be chosen: the organization's own. */
  currencies: z.array(currency),
  /** The connected HubSpot account: its company currency, if that is known, and why its rates may not be read. */
  portal: z.object({ currency: currency.nullable(), ratesRefusal: z.string().nullable() }).nullable(),
  /** Today's rate of each other currency; null where none is known. */
  rates: z.array(
    z.object({
      currency,
      rate: z
        .object({
          text: z.string(),
          day,
          isStale: z.boolean(),
          /** Whether it is so low that HubSpot's six decimals are too few for it. */
          isCoarse: z.boolean(),
        })
        .nullable(),
    }),
  ),
  /** When the central bank's rates were read last; null before that, and while others are in use. */
  readAt: instant.nullable(),
  /** Whether rows still wait to be converted again. */
  isConverting: z.boolean(),
})

export const getReportingSettings = endpoint({
  method: 'GET',
  path: '/api/settings/reporting',
  access: 'member',
  summary: 'The currency of totals, how amounts are converted to it, and the rates in use.',
  response: reporting,
})

export const saveReportingSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/reporting',
  access: 'admin',
  audit: 'settings_changed',
  summary: 'Changes the currency of totals or the source of rates; every other amount is converted again.',
  body: z.strictObject({
    ...chosen,
    /** What stood when the person chose; if something else stands by now, nothing is saved. */
    seen: z.strictObject(chosen).optional(),
  }),
  response: reporting,
})

/** A whole file is longer than a call may be. */
export const ratesPartMax = 60_000

export const uploadRates = endpoint({
  method: 'POST',
  path: '/api/settings/reporting/rates',
  access: 'admin',
  audit: 'rates_uploaded',
  summary:
    'Keeps exchange rates of a file, or a part of it that begins with the first line, and uses them from then on.',
  body: z.strictObject({
    source: z.enum(['ecb', 'csv']),
    text: z.string().max(ratesPartMax + 5_000),
    /** Whether this is the last part, after which amounts are converted again. */
    isLast: z.boolean(),
  }),
  response: z.object({ days: z.int(), added: z.int(), changed: z.int(), ignored: z.int() }),
})
