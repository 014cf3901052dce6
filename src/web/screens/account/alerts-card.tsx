import { Card, Skeleton, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getAlertChoice, saveAlertChoice } from '#contract/account.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { SettingSwitch } from '../../components/setting-switch.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { problemOf } from './problem-of.ts'

/** Lets an owner choose whether they get mail about incidents of the active organization. */
export function AlertsCard({ organizationName }: { organizationName: string }) {
  const toast = useToast()
  const client = useQueryClient()
  const choice = useEndpoint(getAlertChoice, {}, { staleTime: 0 })
  const save = useMutation({
    mutationFn: (wantsAlerts: boolean) => call(saveAlertChoice, { body: { wantsAlerts } }),
    onSuccess: (saved) => {
      client.setQueryData(endpointKey(getAlertChoice, {}), saved)
      toast({ title: saved.wantsAlerts ? 'You will get these mails' : 'You will not get these mails' })
    },
    onError: (error) =>
      toast({
        title: 'The choice could not be saved',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
  return (
    <Card withBorder component="section" aria-label="Notifications">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Notifications
        </Title>
        {choice.isPending ? <Skeleton h={{ base: 112, sm: 60 }} /> : null}
        {choice.error === null ? null : (
          <ReadFailure
            title="Your choice could not be read"
            error={choice.error}
            onRetry={() => void choice.refetch()}
          />
        )}
        {choice.data === undefined ? null : (
          <SettingSwitch
            label={`Email me when ${organizationName} needs attention`}
            description="When Stripe or HubSpot no longer accepts the connection, or when syncs fail for an hour. One email when it begins, one when it is over."
            isOn={choice.data.wantsAlerts}
            isSaving={save.isPending}
            onChange={(wanted) => save.mutate(wanted)}
          />
        )}
        <ProblemAlert problem={problemOf('The choice could not be saved', save)} />
      </Stack>
    </Card>
  )
}
