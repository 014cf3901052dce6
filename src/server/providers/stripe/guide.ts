import type { PaymentsGuide } from '../payments.ts'
import { eventTypes } from './list-changes.ts'
import { neededPermissions, permissionNames } from './permissions.ts'

const stripeDashboard = 'https://dashboard.stripe.com'

/**
 * Where a person makes the key and the webhook in Stripe. Stripe does not document the addresses that fill the form in
 * advance, so the lists are shown beside the links; several public products use them.
 */
export function createStripeGuide(dashboardUrl = stripeDashboard): PaymentsGuide {
  const query = new URLSearchParams({ name: 'Tributary' })
  for (const { word } of neededPermissions) query.append('permissions[]', `rak_${word}_read`)
  const pages = (path: string) => ({ live: `${dashboardUrl}${path}`, test: `${dashboardUrl}/test${path}` })
  return {
    keyPages: pages(`/apikeys/create?${query}`),
    permissions: neededPermissions.map(({ word, ...rest }) => ({
      name: permissionNames[word] ?? word,
      ...rest,
    })),
    webhookPages: pages('/webhooks/create'),
    webhookEvents: eventTypes.flat(),
  }
}
