import { Badge, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listSessions, revokeOtherSessions, revokeSession } from '#contract/sessions.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { formatInstant } from '../../ui/dates.ts'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'
import { problemOf } from './problem-of.ts'

export function useSessions() {
  return useEndpoint(listSessions, {}, { staleTime: 0 })
}

/** Shows the sessions of the user, each with a button that ends it. */
export function SessionsCard() {
  const toast = useToast()
  const client = useQueryClient()
  const sessions = useSessions()
  const end = useMutation({
    mutationFn: (sessionId: string | null) =>
      sessionId === null ? call(revokeOtherSessions) : call(revokeSession, { body: { sessionId } }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: endpointKey(listSessions) })
      toast({ title: message })
    },
    onError: (error) =>
      toast({
        title: 'The session could not be ended',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
  const open = sessions.data?.sessions ?? []
  return (
    <Card withBorder component="section" aria-label="Sessions">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Where you are signed in
        </Title>
        {sessions.isPending ? <Skeleton height={60} /> : null}
        {sessions.error === null ? null : (
          <ReadFailure
            title="Your sessions could not be read"
            error={sessions.error}
            onRetry={() => void sessions.refetch()}
          />
        )}
        <ProblemAlert problem={problemOf('The session could not be ended', end)} />
        {open.map((session) => (
          <Group key={session.id} justify="space-between">
            <div>
              <Group gap="xs">
                <Text size="sm">{session.device}</Text>
                {session.isCurrent ? <Badge variant="light">This device</Badge> : null}
              </Group>
              <Text size="xs" c="dimmed">
                {session.address ?? 'Unknown address'}, last seen <Ago at={session.lastSeenAt} />
              </Text>
            </div>
            {session.isCurrent ? null : (
              <StartButton
                size="xs"
                variant="default"
                isOff={end.isPending}
                aria-label={`Sign out ${session.device}, last seen ${formatInstant(session.lastSeenAt)}`}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </StartButton>
            )}
          </Group>
        ))}
        {open.length > 1 ? (
          <Group>
            <StartButton
              variant="outline"
              color="red"
              isBusy={end.isPending && end.variables === null}
              isOff={end.isPending}
              onClick={() => end.mutate(null)}
            >
              Sign out everywhere else
            </StartButton>
          </Group>
        ) : null}
      </Stack>
    </Card>
  )
}
