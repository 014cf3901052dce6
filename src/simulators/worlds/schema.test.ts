import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generateWorld } from './generate-world.ts'
import { faultsUnder, type OpenApi } from './schema-check.ts'
import { unusualStories } from './stories/unusual.ts'
import { wild } from './stories/wild.ts'

const repository = resolve(import.meta.dirname, '../../..')
const spec = resolve(
  process.env['STRIPE_SPEC_ROOT'] ?? resolve(repository, '../shared'),
  'specs/stripe/billing-readonly.2026-10-28.endive.openapi.json',
)
const asOf = Date.UTC(2026, 9, 31, 12) / 1000

/** The provider's own schema is not in the repository; without it these tests are skipped. */
const casts = [
  ['believable', []],
  ['unusual', unusualStories],
  ['wild', [wild]],
] as const

describe.skipIf(!existsSync(spec)).each(casts)(
  'objects of the %s cast under the provider’s schema',
  (_cast, stories) => {
    const api: OpenApi = existsSync(spec)
      ? JSON.parse(readFileSync(spec, 'utf8'))
      : { components: { schemas: {} } }
    const { world } = generateWorld({ seed: 11, asOf, stories, hasPending: true })
    const lists = {
      product: world.products,
      price: world.prices,
      coupon: world.coupons,
      payment_method: world.payment_methods,
      subscription: world.subscriptions,
      invoice: world.invoices,
      invoice_payment: world.invoice_payments,
      payment_intent: world.payment_intents,
      event: world.events,
      account: [world.account],
      customer: world.customers.filter((customer) => customer.deleted !== true),
      deleted_customer: world.customers.filter((customer) => customer.deleted === true),
    }

    test.each(Object.entries(lists))(
      'every %s has all required fields and no unknown one',
      (name, objects) => {
        if (name !== 'deleted_customer') expect(objects.length).toBeGreaterThan(0)
        const faults = new Set(
          objects
            .flatMap((object) => faultsUnder(api, name, object))
            .map((fault) => fault.replaceAll(/\[\d+\]/g, '[]')),
        )
        expect([...faults].slice(0, 20)).toEqual([])
      },
    )

    test('objects inside events are whole as well', () => {
      const faults = world.events.flatMap((event) => {
        const data = event.data as { object: { object: string; deleted?: boolean } }
        return faultsUnder(
          api,
          data.object.deleted ? `deleted_${data.object.object}` : data.object.object,
          data.object,
        )
      })
      expect(faults.slice(0, 20)).toEqual([])
    })

    test('the walker sees a missing, an unknown and a wrong field', () => {
      const broken: Record<string, unknown> = { ...world.coupons[0], percent_off: 'ten', surprise: 1 }
      delete broken.valid
      expect(faultsUnder(api, 'coupon', broken).map((fault) => fault.split(':')[0])).toEqual([
        'coupon.valid',
        'coupon.percent_off',
        'coupon.surprise',
      ])
    })
  },
)
