import { Card, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { changeMemberRole, removeMember, transferOwnership } from '#contract/organization.ts'
import type { Role } from '#domain/membership.ts'
import { call, serverText } from '../../client.ts'
import { useRefreshUser } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { type ActionProblem, ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { type ListedMember, MemberRow } from './member-row.tsx'
import { problemOf } from './problem-of.ts'
import { useMemberChange, useMembers } from './use-members.ts'

type Asking = { kind: 'remove' | 'transfer'; member: ListedMember } | null

const texts = { done: 'Members updated', failed: 'Members could not be updated' }

/** Shows the members of the organization. Owners and admins may change roles and remove people. */
export function MembersCard({ ownRole }: { ownRole: Role }) {
  const people = useMembers()
  const refreshUser = useRefreshUser()
  const change = useMemberChange(texts)
  const [asking, setAsking] = useState<Asking>(null)
  const [problem, setProblem] = useState<ActionProblem | null>(null)
  const ask = (question: NonNullable<Asking>) => {
    setProblem(null)
    setAsking(question)
  }
  const confirm = async ({ kind, member: { id } }: NonNullable<Asking>) => {
    const body = { memberId: id }
    try {
      await change.mutateAsync(() => call(kind === 'remove' ? removeMember : transferOwnership, { body }))
    } catch (error) {
      return setProblem({ title: texts.failed, description: serverText(error, 'Please try again.') })
    }
    setAsking(null)
    if (kind === 'transfer') await refreshUser()
  }
  return (
    <Card withBorder component="section" aria-label="Members">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Members
        </Title>
        <Text size="sm" c="dimmed">
          Owners and admins connect accounts, change settings and look after people. Members see everything,
          review matches, import and sync.
        </Text>
        {people.isPending ? <Skeleton height={80} /> : null}
        {people.error === null ? null : (
          <ReadFailure
            title="The members could not be read"
            error={people.error}
            onRetry={() => void people.refetch()}
          />
        )}
        <ProblemAlert problem={asking === null ? problemOf(texts.failed, change) : null} />
        <Table.ScrollContainer minWidth={300}>
          <Table aria-label="Members" verticalSpacing="sm">
            <Table.Tbody>
              {(people.data?.members ?? []).map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  ownRole={ownRole}
                  isBusy={change.isPending}
                  onRole={(role) =>
                    change.mutate(() => call(changeMemberRole, { body: { memberId: member.id, role } }))
                  }
                  onRemove={() => ask({ kind: 'remove', member })}
                  onTransfer={() => ask({ kind: 'transfer', member })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
      <ConfirmDialog
        isOpen={asking !== null}
        title={asking?.kind === 'transfer' ? 'Transfer ownership' : 'Remove member'}
        text={asking === null ? '' : questionOf(asking)}
        confirmLabel={asking?.kind === 'transfer' ? 'Transfer' : 'Remove'}
        isBusy={change.isPending}
        problem={problem}
        onConfirm={() => asking && void confirm(asking)}
        onClose={() => setAsking(null)}
      />
    </Card>
  )
}

function questionOf({ kind, member }: NonNullable<Asking>): string {
  return kind === 'transfer'
    ? `Make ${member.email} the owner? You stay as an admin, and cannot take this back yourself.`
    : `Remove ${member.email}? They lose access at once and need a new invitation to come back.`
}
