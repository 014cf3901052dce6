/**
 * The parts of HubSpot's answers that we read. Unknown fields are allowed; a field that we can do without is
 * optional, and so is every field of an error.
 */
import { z } from 'zod'

const text = z.string()
const idText = z.union([z.string(), z.number()]).transform(String)
const texts = z.array(z.string()).optional().catch(undefined)

const errorContext = z
  .looseObject({
    objectWriteTraceId: texts,
    ids: texts,
    id: texts,
    propertyName: texts,
    requiredGranularScopes: texts,
    requiredScopes: texts,
  })
  .optional()
  .catch(undefined)

const optionalText = text.optional().catch(undefined)

export const errorAnswer = z.object({
  status: optionalText,
  message: optionalText,
  category: optionalText,
  subCategory: optionalText,
  correlationId: optionalText,
  policyName: optionalText,
  error: optionalText,
  context: errorContext,
  errors: z
    .array(z.object({ message: optionalText, code: optionalText, context: errorContext }))
    .optional()
    .catch(undefined),
})
export type ErrorAnswer = Partial<z.output<typeof errorAnswer>>

export const tokenAnswer = z.object({
  access_token: text.min(1),
  refresh_token: text.min(1),
  expires_in: z.number().positive(),
  hub_id: idText,
  scopes: z.array(text).optional(),
})

export const introspectionAnswer = z.object({ hub_domain: optionalText })

export const keyInfoAnswer = z.object({ hubId: idText, scopes: z.array(text) })

export const accountAnswer = z.object({
  portalId: idText,
  uiDomain: optionalText,
  timeZone: optionalText,
  companyCurrency: optionalText,
  accountType: optionalText,
})

/** The documents show neither form for certain: a rate may be a number or a text, an instant ISO or milliseconds. */
const instantText = z.union([z.string(), z.number()]).transform((value) => {
  return typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value)
})

export const exchangeRatesAnswer = z.object({
  results: z.array(
    z.object({
      fromCurrencyCode: text,
      toCurrencyCode: text,
      conversionRate: z.union([z.string(), z.number()]),
      effectiveAt: instantText,
    }),
  ),
  paging: z
    .object({ next: z.object({ after: idText }).optional() })
    .optional()
    .catch(undefined),
})

export const propertyAnswer = z.object({
  name: text,
  description: optionalText,
  groupName: optionalText,
  type: optionalText,
  hasUniqueValue: z.boolean().optional().catch(undefined),
  hubspotDefined: z.boolean().optional().catch(undefined),
  calculated: z.boolean().optional().catch(undefined),
  archived: z.boolean().optional().catch(undefined),
  currencyPropertyName: optionalText,
  options: z
    .array(
      z.object({
        value: text,
        label: optionalText,
        description: optionalText,
        displayOrder: z.number().optional().catch(undefined),
        hidden: z.boolean().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
})
export const propertiesAnswer = z.object({ results: z.array(propertyAnswer) })

export const schemaAnswer = z.object({
  objectTypeId: text,
  name: text,
  description: optionalText,
  labels: z.object({ singular: optionalText, plural: optionalText }).optional().catch(undefined),
  primaryDisplayProperty: optionalText,
  secondaryDisplayProperties: texts,
  requiredProperties: texts,
  searchableProperties: texts,
  archived: z.boolean().optional().catch(undefined),
  properties: z.array(propertyAnswer).optional(),
  associations: z.array(z.object({ fromObjectTypeId: text, toObjectTypeId: text })).optional(),
})
export const schemasAnswer = z.object({ results: z.array(schemaAnswer) })

export const limitAnswer = z.object({ limit: z.number(), usage: z.number() })

const typeLimit = z.object({ objectTypeId: text, limit: z.number(), usage: z.number() })

export const recordLimitsAnswer = z.object({
  customObjectTypes: z
    .object({ overallLimit: z.number(), overallUsage: z.number() })
    .optional()
    .catch(undefined),
  hubspotDefinedObjectTypes: z.array(typeLimit).optional().catch(undefined),
})

export const recordAnswer = z.object({
  id: idText,
  properties: z.record(text, z.string().nullable().catch(null)).optional(),
  objectWriteTraceId: optionalText,
  updatedAt: text
    .transform((given) => instantIn(given)?.toISOString())
    .optional()
    .catch(undefined),
})
export type RecordAnswer = z.output<typeof recordAnswer>

export const batchAnswer = z.object({
  status: optionalText,
  results: z.array(recordAnswer).optional(),
  errors: z.array(errorAnswer).optional(),
})
export type BatchAnswer = z.output<typeof batchAnswer>

/** An error of HubSpot itself in the place of an input's outcome: it refuses nothing, and says nothing of what is there. */
export function isOwnFailure({ category }: ErrorAnswer): boolean {
  return category === 'INTERNAL_ERROR' || category === 'RATE_LIMITS'
}

/** HubSpot's words for a record that is not there, and for one without associations. */
function isNone({ category, subCategory = '' }: ErrorAnswer): boolean {
  return category === 'OBJECT_NOT_FOUND' || subCategory.endsWith('NO_ASSOCIATIONS_FOUND')
}

/**
 * Whether a read says of each input what is there. After any other error, or before HubSpot is done (PENDING, PROCESSING,
 * CANCELED), a missing row does not mean that there is none.
 */
function isReadWhole({
  status,
  errors = [],
}: {
  status?: string | undefined
  errors?: ErrorAnswer[] | undefined
}) {
  return (status === undefined || status === 'COMPLETE') && errors.every(isNone)
}

export const readAnswer = batchAnswer.refine(isReadWhole)

/** Reads an ISO text or milliseconds: HubSpot takes both, and its documents show both in answers. */
export function instantIn(text: string | null | undefined): Date | null {
  const given = text ?? ''
  const isMs = /^\d{1,15}$/.test(given)
  if (!isMs && !/^\d{4}-\d{2}-\d{2}T[\d:.]{1,20}(?:Z|[+-]\d{2}:?\d{2})$/.test(given)) return null
  const instant = new Date(isMs ? Number(given) : given)
  const year = instant.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? instant : null
}

/** A list that HubSpot stores as one text, separated by semicolons. */
export function listIn(record: RecordAnswer, name: string): string[] {
  return (record.properties?.[name] ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}

const nextPage = z.object({ next: z.object({ after: idText }).optional() }).optional()

export const listAnswer = z.object({
  results: z.array(
    recordAnswer.extend({
      associations: z
        .record(
          text,
          z.object({ results: z.array(z.object({ id: idText, type: optionalText })), paging: nextPage }),
        )
        .optional(),
    }),
  ),
  paging: nextPage,
})

export type ListedRecord = z.output<typeof listAnswer>['results'][number]

const associationTypes = z
  .array(z.object({ category: optionalText, typeId: z.number() }))
  .optional()
  .catch(undefined)

const pairs = z.object({
  status: optionalText,
  results: z
    .array(
      z.object({
        from: z.object({ id: idText }),
        to: z.union([z.array(z.object({ toObjectId: idText, associationTypes })), z.object({ id: idText })]),
        paging: nextPage,
      }),
    )
    .optional(),
  errors: z.array(errorAnswer).optional(),
})
export const pairsAnswer = pairs.refine(isReadWhole)

const end = z.object({ id: idText }).optional().catch(undefined)

/** The result of associating or separating pairs, as far as the answer states it. */
export const tiedAnswer = z.object({
  results: z
    .array(z.object({ from: end, to: end }))
    .optional()
    .catch(undefined),
  errors: z.array(errorAnswer).optional(),
})
export type TiedAnswer = z.output<typeof tiedAnswer>
