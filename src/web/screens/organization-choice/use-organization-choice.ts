import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { checkDomainUsers, checkPendingInvitations } from '#contract/account.ts'
import { listOrganizations, listOwnInvitations, openOrganization } from '#contract/organization.ts'
import { call, useEndpoint } from '../../client.ts'
import { useComingBack } from '../../identity/use-coming-back.ts'
import { paths, safeRedirect } from '../../paths.ts'
import { useCurrentUser, useForgetSession } from '../../queries/session.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { findOrganization, type OrganizationSearch } from './find-organization.ts'

const search: OrganizationSearch = {
  listOrganizationIds: async () => {
    const { organizations } = await call(listOrganizations)
    return organizations.map(({ id }) => id)
  },
  checkDomain: (emailDomain) => call(checkDomainUsers, { body: { emailDomain } }),
  checkInvitations: () => call(checkPendingInvitations),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  logProblem,
}

/** What a person without an organization, or with the link of an invitation, may choose. It leads on as soon as it can. */
export function useOrganizationChoice() {
  const user = useCurrentUser()
  const email = user.data?.email ?? ''
  const needsOrganization = user.data?.needsOrganization === true
  const active = user.data?.organization?.id.toString() ?? null
  const token = useSearchParams()[0].get('invitationId')
  // A person who already has an organization may follow the link of an invitation, so the screen must not skip it.
  const isInvited = token !== null && !needsOrganization
  const found = useQuery({
    queryKey: ['find-organization', email],
    queryFn: () => findOrganization(email, search),
    enabled: needsOrganization,
    gcTime: 0,
  })
  const asked = isInvited || needsOrganization ? {} : null
  const invitations = useEndpoint(listOwnInvitations, asked, { staleTime: 0 })
  const memberOf = found.data?.kind === 'member' ? found.data.organizationId : null
  const joined = isInvited
    ? invitations.data?.taken.find(({ id }) => id === token)?.organizationId
    : undefined
  const enter = useEnter()
  const goOnTo = useEffectEvent((id: string | null) => enter.mutate(id === active ? null : id))
  useEffect(() => {
    if (joined !== undefined) goOnTo(joined)
    else if (isInvited) return
    else if (!needsOrganization) goOnTo(null)
    else if (memberOf !== null) goOnTo(memberOf)
  }, [joined, isInvited, needsOrganization, memberOf])

  /** Looks for what another tab or a colleague did meanwhile. Says whether that leads on from here. */
  const lookAgain = async (): Promise<boolean> => {
    const again = { throwOnError: true }
    const { data: now } = await user.refetch(again)
    const hasOrganization = now?.needsOrganization === false
    if (hasOrganization && token === null) return true
    const { data: own } = await invitations.refetch(again)
    if (hasOrganization) return own?.taken.some(({ id }) => id === token) === true
    return (await found.refetch(again)).data?.kind === 'member'
  }
  useComingBack(true, lookAgain)

  const choice = found.data?.kind === 'choice' ? found.data : null
  const isReading = choice?.hasPendingInvitation === true && invitations.isLoading
  return {
    email,
    isInvited,
    isChecking: isInvited
      ? invitations.isLoading || joined !== undefined
      : !needsOrganization || found.isPending || memberOf !== null || isReading,
    pending: invitations.data?.invitations ?? [],
    inviters: choice?.inviters ?? [],
    // An error outside the two checks ends the loading state; the server still decides who may create one.
    canCreate: choice?.canCreate ?? found.isError,
    goOn: () => enter.mutateAsync(null),
    lookAgain,
    /** Why the organization that was found could not be opened; null while nothing failed. */
    failure: enter.error,
    retry: () => enter.mutate(enter.variables ?? null),
  }
}

/** Activates the organization if one is named, and opens the address that the user wanted. */
function useEnter() {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [params] = useSearchParams()
  const target = safeRedirect(params.get('redirectUrl'), window.location.origin, paths.dashboardByName)
  return useMutation({
    mutationFn: async (organizationId: string | null) => {
      if (organizationId !== null) {
        await call(openOrganization, { body: { organizationId } })
        await forgetSession()
      }
      await navigate(target, { replace: true })
    },
  })
}
