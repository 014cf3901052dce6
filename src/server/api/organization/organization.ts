import {
  acceptInvitation,
  cancelInvitation,
  changeMemberRole,
  createOrganization,
  getInvitation,
  getOrganizationProfile,
  inviteMember,
  leaveOrganization,
  listOrganizationMembers,
  listOrganizations,
  listOwnInvitations,
  openOrganization,
  removeMember,
  saveOrganizationProfile,
  transferOwnership,
} from '#contract/organization.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { findInvitation, listOpenInvitations } from '../../store/accounts/invitations.ts'
import { listMembers, roleOf } from '../../store/accounts/members.ts'
import {
  findMembership,
  getOrganization,
  listMemberships,
  type OrganizationProfile,
} from '../../store/accounts/organizations.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import * as members from '../../work/organization/change-members.ts'
import { changeOrganization } from '../../work/organization/change-organization.ts'
import { createOrganization as create } from '../../work/organization/create-organization.ts'
import { inviteMember as invite, withdrawInvitation } from '../../work/organization/invite-member.ts'
import {
  acceptInvitation as accept,
  listInvitationsOf,
  listTakenBy,
} from '../../work/organization/join-organization.ts'
import { sendInvitation } from './invitation-mail.ts'

export function serveOrganization(router: Router): void {
  serveOrganizations(router)
  serveProfile(router)
  serveInvitations(router)
  serveMembers(router)
}

/** Makes the organization the active one of the caller's session, which also gets a new token. */
export async function enterOrganization(context: Context, organizationId: number | null): Promise<void> {
  const { identity } = context.deps
  context.cookies.push(...(await identity.switchOrganization(context.request.headers, organizationId)))
}

function serveOrganizations(router: Router): void {
  serve(router, createOrganization, async (context, { body }) => {
    const { deps, actor, session } = context
    const founder = { ...actor, emailVerified: session.user.emailVerified }
    const created = await create(deps.database, founder, body)
    await enterOrganization(context, created.id)
    return { id: String(created.id), name: created.name, slug: created.slug }
  })

  serve(router, listOrganizations, async ({ deps, session }) => {
    const memberships = await listMemberships(deps.database, session.user.id)
    return {
      organizations: memberships.map(({ id, name, role }) => ({ id: String(id), name, role: roleOf(role) })),
    }
  })

  serve(router, openOrganization, async (context, { body }) => {
    const { deps, actor } = context
    const found = await findMembership(deps.database, actor.userId, body.organizationId)
    if (found === undefined)
      throw new Refusal('not_found', 'There is no such organization of yours. Choose one of your own.')
    if (found.id !== context.session.organization?.id) {
      await inOrganization(deps.database, found.id, (tenant) =>
        recordAudit(tenant, actor, { action: 'organization_switched' }),
      )
    }
    await enterOrganization(context, found.id)
    return { id: String(found.id), name: found.name }
  })
}

function serveProfile(router: Router): void {
  serve(router, getOrganizationProfile, ({ inOrganization }) =>
    inOrganization(async (tenant) => toProfile(await getOrganization(tenant))),
  )

  serve(router, saveOrganizationProfile, async (context, { body }) =>
    toProfile(await changeOrganization(context.deps.database, callerOf(context), body)),
  )
}

function toProfile({ logo, ...profile }: OrganizationProfile) {
  return { ...profile, pictureUrl: logo }
}

function serveInvitations(router: Router): void {
  serve(router, inviteMember, async (context, { body }) => {
    const { deps, session } = context
    const { id, token, email } = await invite(deps.database, callerOf(context), body)
    const organization = session.organization?.name ?? ''
    await sendInvitation(deps, { id, token, email, organization, inviter: session.user.name })
    return { id: token, email }
  })

  serve(router, cancelInvitation, async (context, { body }) => {
    await withdrawInvitation(context.deps.database, callerOf(context), body.invitationId)
    return { success: true as const, message: 'The invitation is canceled.' }
  })

  serve(router, listOwnInvitations, async ({ deps, actor, session }) => {
    const joiner = { ...actor, emailVerified: session.user.emailVerified }
    const [open, taken] = await Promise.all([
      listInvitationsOf(deps.database, joiner),
      listTakenBy(deps.database, joiner),
    ])
    return {
      invitations: open.map(({ token, organizationId: _, ...told }) => ({ id: token, ...told })),
      taken: taken.map(({ token, organizationId }) => ({
        id: token,
        organizationId: String(organizationId),
      })),
    }
  })

  serve(router, getInvitation, async ({ deps }, { query }) => {
    const found = await findInvitation(deps.database, query.invitationId)
    if (found === undefined)
      throw new Refusal('not_found', 'There is no such open invitation. Ask for a new one.')
    return found
  })

  serve(router, acceptInvitation, async (context, { body }) => {
    const { deps, actor, session } = context
    const joiner = { ...actor, emailVerified: session.user.emailVerified }
    const organizationId = await accept(deps.database, joiner, body.invitationId)
    await enterOrganization(context, organizationId)
    return { organizationId: String(organizationId) }
  })
}

function serveMembers(router: Router): void {
  serve(router, listOrganizationMembers, (context) =>
    context.inOrganization(async (tenant) => {
      const { user, organization } = context.session
      const people = await listMembers(tenant)
      const open = organization?.role === 'member' ? [] : await listOpenInvitations(tenant)
      return {
        members: people.map(({ id, userId, name, email, role }) => ({
          id: String(id),
          name,
          email,
          role,
          isSelf: userId === user.id,
        })),
        invitations: open.map(({ token, email, role, expiresAt, mail }) => ({
          id: token,
          email,
          role,
          expiresAt: expiresAt.toISOString(),
          mail,
        })),
      }
    }),
  )

  serve(router, changeMemberRole, async (context, { body }) => {
    await members.changeRole(context.deps.database, callerOf(context), body.memberId, body.role)
    return { success: true as const, message: 'The role is changed.' }
  })

  serve(router, transferOwnership, async (context, { body }) => {
    await members.transferOwnership(context.deps.database, callerOf(context), body.memberId)
    return { success: true as const, message: 'The ownership is transferred.' }
  })

  serve(router, removeMember, async (context, { body }) => {
    await members.endMembership(context.deps.database, callerOf(context), body.memberId)
    return { success: true as const, message: 'The member is removed.' }
  })

  serve(router, leaveOrganization, async (context) => {
    await members.leaveOrganization(context.deps.database, callerOf(context))
    await enterOrganization(context, null)
    return { success: true as const, message: 'You left the organization.' }
  })
}

function callerOf({ organizationId, actor }: Context): members.ActingMember {
  return { organizationId, actor }
}
