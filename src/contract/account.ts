import { z } from 'zod'
import { roles } from '#domain/membership.ts'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'
import { setupProgress } from './setup.ts'

export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  access: 'public',
  summary: 'What a visitor may know: whether providers are simulated, and where sign-in happens.',
  response: z.object({
    isStripeSimulated: z.boolean(),
    isHubspotSimulated: z.boolean(),
    /** The pages of the simulated providers; null for a real one. */
    simulatedStripeUrl: z.string().nullable(),
    simulatedHubspotUrl: z.string().nullable(),
    /** Whether a visitor may enter the demo workspace without a password. */
    hasDemo: z.boolean(),
    /** The page that shows the mail of the simulated mode; null with real mail. */
    outboxUrl: z.string().nullable(),
    /** The name of the hosted identity provider; null for the built-in sign-in. */
    hostedIdentity: z.string().nullable(),
    /** A key of the simulated Stripe that the wizard may suggest. */
    demoStripeKey: z.string().nullable(),
  }),
})

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/current-user',
  access: 'user',
  summary: 'The signed-in user, the active organization and how far its setup has come.',
  response: z.object({
    id: z.number().int(),
    name: z.string(),
    email: z.string(),
    /** All addresses of the user. There is one, `email`. */
    emailAddresses: z.array(z.string()),
    emailVerified: z.boolean(),
    imageUrl: z.string().nullable(),
    hasSecondFactor: z.boolean(),
    isOperator: z.boolean(),
    needsOrganization: z.boolean(),
    organization: z.object({ id: z.number().int(), name: z.string(), role: z.enum(roles) }).nullable(),
    setupComplete: z.boolean(),
    setupProgress: setupProgress.nullable(),
    /**
     * The newest report of a recount that changed figures and that no owner or admin has read yet. Only owners and
     * admins get it.
     */
    unreadRecount: z
      .object({
        recountId: z.string(),
        monthCount: z.int(),
        customerCount: z.int(),
        hubspotRecordCount: z.int(),
      })
      .nullable(),
  }),
})

export const checkDomainUsers = endpoint({
  method: 'POST',
  path: '/api/auth/check-domain-users',
  access: 'user',
  audit: 'none',
  summary:
    "Whether the caller is the first of their email's domain. Another domain than the caller's own is refused.",
  body: z.strictObject({ emailDomain: text(253) }),
  response: z.object({
    isFirstUser: z.boolean(),
    /** Who may invite the caller, as 'Robin D.'; empty for the first of a domain. */
    inviters: z.array(z.string()),
  }),
})

export const checkPendingInvitations = endpoint({
  method: 'POST',
  path: '/api/auth/check-pending-invitations',
  access: 'user',
  audit: 'in_work',
  summary:
    'Looks for an invitation to the verified address of the caller and accepts a single one from the organization that has claimed its domain.',
  response: z.object({ hasPendingInvitation: z.boolean(), autoAccepted: z.boolean() }),
})

const alertChoice = z.object({ wantsAlerts: z.boolean() })

export const getAlertChoice = endpoint({
  method: 'GET',
  path: '/api/account/alerts',
  access: 'member',
  summary: 'Whether the caller wants mail when a connection stops working or syncs fail. Owners get it.',
  response: alertChoice,
})

export const saveAlertChoice = endpoint({
  method: 'PUT',
  path: '/api/account/alerts',
  access: 'member',
  audit: 'none',
  summary: 'Saves whether the caller wants mail about incidents of the active organization.',
  body: z.strictObject({ wantsAlerts: z.boolean() }),
  response: alertChoice,
})
