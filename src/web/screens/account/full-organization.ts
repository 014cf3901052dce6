import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dataOf, identity } from '../../identity/identity.ts'

const key = (organizationId: string) => ['full-organization', organizationId]

/** The organization with its members and invitations. */
export function useFullOrganization(organizationId: string) {
  return useQuery({
    queryKey: key(organizationId),
    queryFn: () =>
      dataOf(
        identity.organization.getFullOrganization({ query: { organizationId } }),
        'The organization could not be read.',
      ),
    staleTime: 0,
  })
}

export function useRefreshOrganization(organizationId: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: key(organizationId) })
}
