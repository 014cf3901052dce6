import type { ResponseOf } from '#contract/endpoint.ts'
import { listOrganizationMembers } from '#contract/organization.ts'
import { isManager } from '#domain/membership.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'
import { useCurrentUser } from './session.ts'

/** Whose organization is active, in words for whoever is about to give it a key; null until that is known. */
export function useKeyReader(): string | null {
  const organization = useCurrentUser().data?.organization
  const members = useOrganizationMembers()
  const owners = members?.filter(({ role }) => role === 'owner').map(({ email }) => email)
  if (!organization || owners === undefined || owners.length === 0) return null
  return `The data that this key reads goes to ${organization.name}, owned by ${owners.join(', ')}.`
}

/** Whom a member can ask for what owners and admins alone may do; none until that is known. */
export function useManagers(): Member[] {
  return useOrganizationMembers()?.filter(({ role }) => isManager(role)) ?? []
}

type Member = ResponseOf<typeof listOrganizationMembers>['members'][number]

function useOrganizationMembers(): Member[] | undefined {
  return useEndpoint(listOrganizationMembers, {}, { staleTime: freshMs.currentUser }).data?.members
}
