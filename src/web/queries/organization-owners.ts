import type { ResponseOf } from '#contract/endpoint.ts'
import { listOrganizationMembers } from '#contract/organization.ts'
import { isManager } from '#domain/membership.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'
import { useCurrentUser } from './session.ts'

/** Says to a person who enters a key whose organization gets its data; null until that is known. */
export function useKeyReader(): string | null {
  const organization = useCurrentUser().data?.organization
  const members = useOrganizationMembers()
  const owners = members?.filter(({ role }) => role === 'owner').map(({ email }) => email)
  if (!organization || owners === undefined || owners.length === 0) return null
  return `The data that this key reads goes to ${organization.name}, owned by ${owners.join(', ')}.`
}

/** Returns the people whom a member can ask for the work of owners and admins; empty until they are known. */
export function useManagers(): Member[] {
  return useOrganizationMembers()?.filter(({ role }) => isManager(role)) ?? []
}

type Member = ResponseOf<typeof listOrganizationMembers>['members'][number]

function useOrganizationMembers(): Member[] | undefined {
  return useEndpoint(listOrganizationMembers, {}, { staleTime: freshMs.currentUser }).data?.members
}
