import { z } from 'zod'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { CrmPort } from '../../crm.ts'
import type { CrmAmount } from '../../crm-amounts.ts'
import type { HubspotClient } from '../client.ts'
import { getSpelling } from '../to-hubspot/object-spelling.ts'
import { spellings } from '../to-hubspot/our-objects.ts'
import type { PropertySpelling } from '../to-hubspot/property.ts'
import { paths } from '../version.ts'
import {
  isMadeByUs,
  propertiesOfSchema,
  type StandingSchema,
  schemaNamed,
  unusableBecause,
} from './inspect-schema.ts'
import { listSchemas } from './list-schemas.ts'

/** Finds the amounts of our objects, and has HubSpot show them in the currency of their own record. */
export function createAmountCalls(call: HubspotClient): Pick<CrmPort, 'findAmounts' | 'bindAmount'> {
  return {
    async findAmounts(access) {
      const schemas = await listSchemas(call, access)
      return crmKinds.flatMap((kind) => {
        const schema = schemaNamed(schemas, kind)
        if (schema === undefined) return []
        const { objectTypeId } = schema
        return [
          { kind, objectTypeId, isMadeByUs: isMadeByUs(kind, schema), amounts: amountsOf(kind, schema) },
        ]
      })
    },
    async bindAmount(access, objectTypeId, { property, currencyProperty }) {
      await call(access, {
        method: 'PATCH',
        path: paths.property(objectTypeId, property),
        // HubSpot refuses the one without the other.
        json: { currencyPropertyName: currencyProperty, showCurrencySymbol: true },
        answer: z.looseObject({}),
      })
    },
  }
}

/**
 * Leaves out what is not there as we make it, also an amount whose currency is missing: HubSpot validates no name, and
 * would show it by a property that does not exist.
 */
function amountsOf(kind: CrmKind, schema: StandingSchema): CrmAmount[] {
  const properties = propertiesOfSchema(schema)
  const findUsable = (spelling: PropertySpelling) => {
    const property = properties.get(spelling.name)
    return property && unusableBecause(spelling, property) === null ? property : undefined
  }
  const { fields, converted } = spellings[kind]
  return [...Object.values(fields), ...Object.values(converted)].flatMap((spelling) => {
    if (spelling.currency === undefined) return []
    const currency = getSpelling(kind, spelling.currency)
    const standing = findUsable(spelling)
    if (standing === undefined || findUsable(currency) === undefined) return []
    const boundTo = standing.currencyPropertyName || null
    return [{ property: spelling.name, currencyProperty: currency.name, boundTo }]
  })
}
