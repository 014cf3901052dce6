import { z } from 'zod'
import { roles } from '#domain/membership.ts'
import { endpoint } from './endpoint.ts'
import { done, instant, text } from './fields.ts'

/** Bodies carry our numeric ids as text, like every other id in this part of the API. */
const number = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, 'is not a number of ours')
  .transform(Number)
/** Identifies an invitation by a value that nobody can guess or count. */
const invitationToken = z.string().regex(/^[\w-]{32,64}$/, 'is not an invitation of ours')
const role = z.enum(roles)
const organization = z.object({ id: z.string(), name: z.string() })

export const createOrganization = endpoint({
  method: 'POST',
  path: '/api/identity/organization/create',
  access: 'user',
  audit: 'in_work',
  summary: "Creates an organization of the caller's; the verified address decides whether it may be.",
  body: z.strictObject({ name: text(200), slug: text(200) }),
  response: organization.extend({ slug: z.string() }),
})

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/api/identity/organization/list',
  access: 'user',
  summary: 'The organizations of which the caller is a member, the oldest membership first.',
  response: z.object({ organizations: z.array(organization.extend({ role })) }),
})

export const openOrganization = endpoint({
  method: 'POST',
  path: '/api/identity/organization/set-active',
  access: 'user',
  audit: 'in_work',
  summary: 'Makes one of the caller’s organizations the active one; the session gets a new token.',
  body: z.strictObject({ organizationId: number }),
  response: organization,
})

/** How screens show an organization: its name, its short name in addresses, and the address of its picture. */
const profile = { name: z.string(), slug: z.string(), pictureUrl: z.string().nullable() }

export const getOrganizationProfile = endpoint({
  method: 'GET',
  path: '/api/identity/organization/profile',
  access: 'member',
  summary: 'Name, slug and picture of the active organization.',
  response: z.object(profile),
})

export const saveOrganizationProfile = endpoint({
  method: 'POST',
  path: '/api/identity/organization/update',
  access: 'admin',
  audit: 'in_work',
  summary: 'Changes name, slug and picture of the active organization; no picture is null.',
  body: z.strictObject({ name: text(200), slug: text(200), pictureUrl: text(1_000).nullable() }),
  response: z.object(profile),
})

export const listOrganizationMembers = endpoint({
  method: 'GET',
  path: '/api/identity/organization/members',
  access: 'member',
  summary: 'The members of the active organization and, for owners and admins, its open invitations.',
  response: z.object({
    members: z.array(
      z.object({ id: z.string(), name: z.string(), email: z.string(), role, isSelf: z.boolean() }),
    ),
    invitations: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        role,
        expiresAt: instant,
        /** Says whether the mail was sent, waits for the mail server, or was given up. */
        mail: z.enum(['sent', 'waiting', 'failed']),
      }),
    ),
  }),
})

export const inviteMember = endpoint({
  method: 'POST',
  path: '/api/identity/organization/invite-member',
  access: 'admin',
  audit: 'in_work',
  summary: 'Invites an address by mail, for two days and one use.',
  body: z.strictObject({ email: text(254), role: z.enum(['admin', 'member']) }),
  response: z.object({ id: z.string(), email: z.string() }),
})

export const cancelInvitation = endpoint({
  method: 'POST',
  path: '/api/identity/organization/cancel-invitation',
  access: 'admin',
  audit: 'in_work',
  summary: 'Takes an open invitation back.',
  body: z.strictObject({ invitationId: invitationToken }),
  response: done,
})

export const listOwnInvitations = endpoint({
  method: 'GET',
  path: '/api/identity/organization/list-user-invitations',
  access: 'user',
  summary: 'Open invitations to the verified address of the caller, and those that the caller accepted.',
  response: z.object({
    invitations: z.array(
      z.object({
        id: z.string(),
        organizationName: z.string(),
        inviterEmail: z.string(),
        /**
         * Says whether the organization has claimed the domain of the caller's address. Without that claim, a
         * stranger may have sent the invitation.
         */
        isFromOwnDomain: z.boolean(),
      }),
    ),
    /** Those that made the caller a member, so that their links lead into the organization. */
    taken: z.array(z.object({ id: z.string(), organizationId: z.string() })),
  }),
})

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/identity/organization/invitation',
  access: 'public',
  summary: 'Who invites whom to what, for the holder of the link of an open invitation.',
  query: z.strictObject({ invitationId: invitationToken }),
  response: z.object({
    organizationName: z.string(),
    inviterName: z.string(),
    inviterEmail: z.string(),
    /** The invited address. */
    email: z.string(),
  }),
})

export type OpenInvitation = z.output<typeof getInvitation.response>

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/identity/organization/accept-invitation',
  access: 'user',
  audit: 'in_work',
  summary:
    'Accepts an invitation to the verified address of the caller and makes its organization the active one.',
  body: z.strictObject({ invitationId: invitationToken }),
  response: z.object({ organizationId: z.string() }),
})

export const changeMemberRole = endpoint({
  method: 'POST',
  path: '/api/identity/organization/update-member-role',
  access: 'admin',
  audit: 'in_work',
  summary: 'Gives a member another role; owners are made and unmade by owners.',
  body: z.strictObject({ memberId: number, role }),
  response: done,
})

export const transferOwnership = endpoint({
  method: 'POST',
  path: '/api/identity/organization/transfer-ownership',
  access: 'admin',
  audit: 'in_work',
  summary: 'Makes another member the owner in place of the caller.',
  body: z.strictObject({ memberId: number }),
  response: done,
})

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/identity/organization/remove-member',
  access: 'admin',
  audit: 'in_work',
  summary: 'Ends a membership at once.',
  body: z.strictObject({ memberId: number }),
  response: done,
})

export const leaveOrganization = endpoint({
  method: 'POST',
  path: '/api/identity/organization/leave',
  access: 'member',
  audit: 'in_work',
  summary: "Ends the caller's own membership of the active organization; the last owner cannot.",
  response: done,
})
