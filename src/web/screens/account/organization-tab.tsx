import { Alert, Card, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { leaveOrganization, listOrganizations } from '#contract/organization.ts'
import { isManager as mayManage } from '#domain/membership.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { paths } from '../../paths.ts'
import { useOpenOrganization } from '../../queries/open-organization.ts'
import { useCurrentUser, useForgetSession } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { DeleteOrganizationCard } from './delete-organization-card.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { MembersCard } from './members-card.tsx'
import { OrganizationProfileCard } from './organization-profile-card.tsx'
import { problemOf } from './problem-of.ts'
import { ReportingCard } from './reporting/reporting-card.tsx'
import { isOnlyOwner, keptWhileHidden, useAskedMembers } from './use-members.ts'

/** Shows the active organization and its people, and lets the person leave it. */
export function OrganizationTab() {
  const { data: user } = useCurrentUser()
  const memberships = useEndpoint(listOrganizations, {}, { staleTime: 0, ...keptWhileHidden })
  const people = useAskedMembers(Boolean(user?.organization))
  const activate = useActivate()
  const active = user?.organization ?? null
  const organizations = memberships.data?.organizations ?? []
  const firstId = organizations[0]?.id
  const activateFirst = useEffectEvent((id: string) => activate.mutate(id))
  useEffect(() => {
    if (active === null && firstId !== undefined) activateFirst(firstId)
  }, [active, firstId])

  // An empty list may be older than the invitation that was just accepted.
  useOnce(memberships.isSuccess && organizations.length === 0, () => void memberships.refetch())

  // Their number decides the place of everything below them.
  if (memberships.isPending || people.isLoading) return <PageSpinner />
  const isManager = active !== null && mayManage(active.role)
  return (
    <Stack>
      <NativeSelect
        label="Organization"
        maw={360}
        aria-busy={activate.isPending}
        value={active === null ? '' : String(active.id)}
        onChange={({ currentTarget }) =>
          activate.isPending ? undefined : activate.mutate(currentTarget.value)
        }
      >
        {active === null ? <option value="">Select an organization</option> : null}
        {organizations.map((organization) => (
          <option key={organization.id} value={organization.id}>
            {organization.name}
          </option>
        ))}
      </NativeSelect>
      <Unread
        what="The list of your organizations"
        error={memberships.error}
        onRetry={() => void memberships.refetch()}
      />
      <ProblemAlert problem={problemOf('Organization could not be changed', activate)} />
      {active === null ? (
        <NoOrganization />
      ) : (
        <>
          <OrganizationProfileCard key={active.id} canChange={isManager} />
          <MembersCard ownRole={active.role} />
          {isManager ? <InvitationsCard /> : null}
          <ReportingCard />
          <LeaveCard name={active.name} isOnlyOwner={isOnlyOwner(people)} />
          {active.role === 'owner' ? <DeleteOrganizationCard name={active.name} /> : null}
        </>
      )}
    </Stack>
  )
}

function NoOrganization() {
  return (
    <Alert role="note" color="blue">
      <Text size="sm">
        Please select your organization from the dropdown above to access organization settings.
      </Text>
      <Text size="sm">
        If you don&apos;t see your organization, you may need to accept an invitation first.
      </Text>
    </Alert>
  )
}

function useActivate() {
  const toast = useToast()
  const navigate = useNavigate()
  return useOpenOrganization({
    onOpened: () => navigate(`${paths.accountProfile}?tab=organization`),
    onFailed: (error) =>
      toast({
        title: 'Organization could not be changed',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
}

function LeaveCard({ name, isOnlyOwner }: { name: string; isOnlyOwner: boolean }) {
  const toast = useToast()
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const confirmation = useConfirmation()
  const leave = useMutation({
    mutationFn: () => call(leaveOrganization),
    onSuccess: async () => {
      toast({ title: 'Organization left', description: `You are no longer a member of ${name}.` })
      await navigate(paths.dashboard)
      await forgetSession()
    },
    onError: (error) => {
      const problem = { title: 'You are still a member', description: serverText(error, 'Please try again.') }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  return (
    <Card withBorder component="section" aria-label="Leave organization">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Leave {name}
        </Title>
        <StartButton variant="outline" color="red" isOff={isOnlyOwner} onClick={confirmation.ask}>
          Leave organization
        </StartButton>
      </Group>
      {isOnlyOwner ? (
        <Text size="sm" c="dimmed" mt="xs">
          You are the only owner. Transfer the ownership to another member first, or delete the organization.
        </Text>
      ) : null}
      <ConfirmDialog
        {...confirmation.dialog}
        title="Leave organization"
        text={`Are you sure you want to leave ${name}? You will need a new invitation to come back.`}
        confirmLabel="Leave"
        isBusy={leave.isPending}
        onConfirm={() => leave.mutate()}
      />
    </Card>
  )
}
