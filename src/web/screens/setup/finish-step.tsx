import { Alert, Anchor, Group, List, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { getCurrentUser } from '#contract/account.ts'
import { getHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getAutoSync, setAutoSync, updateSetupProgress } from '#contract/setup.ts'
import type { SetupStep } from '#domain/setup.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { SettingSwitch } from '../../components/setting-switch.tsx'
import { stepLabels } from '../../components/setup-steps.ts'
import { paths, productName } from '../../paths.ts'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { StepFrame } from './step-frame.tsx'

export function FinishStep() {
  const { data: user } = useCurrentUser()
  const progress = user?.setupProgress ?? null
  const hasHubspot = progress?.hubspotConnected === true
  const objects = useEndpoint(getHubspotObjects, {}, { enabled: hasHubspot })
  const autoSync = useEndpoint(getAutoSync)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isAutoSync = chosen ?? autoSync.data?.autoSyncEnabled ?? true
  const { finish, isSaving, failure } = useFinish()
  const pending = progress?.pendingMatchCount ?? 0
  const checklist: ChecklistItemProps[] = [
    { text: 'Connected to HubSpot', isDone: hasHubspot, step: 'crm' },
    { text: 'Connected to Stripe', isDone: progress?.stripeConnected === true, step: 'payments' },
    {
      text: 'Custom objects created',
      // Without a connection nothing is asked, and there are none.
      isDone: hasHubspot ? (objects.data?.isReady ?? null) : false,
      step: 'objects',
    },
    { text: 'History imported', isDone: progress?.dataImported === true, step: 'import' },
    { text: 'Data synced', isDone: progress?.dataSynced === true, step: 'sync' },
  ]
  // What is not known yet is not said to be open; what is, stands from the beginning, so that nothing moves.
  const open = progress === null ? [] : checklist.filter(({ isDone }) => isDone === false)
  return (
    <StepFrame
      step="finish"
      title="Setup Complete"
      text={`${productName} is Set Up!`}
      actions={
        <StartButton isOff={isSaving || open.length > 0} onClick={() => void finish(isAutoSync)}>
          {isSaving ? 'Saving...' : 'Finish Setup'}
        </StartButton>
      }
    >
      <List spacing="xs" center>
        {checklist.map((item) => (
          <ChecklistItem key={item.text} {...item} />
        ))}
      </List>
      <Unread
        what="The state of the custom objects"
        error={objects.error}
        onRetry={() => void objects.refetch()}
      />
      {pending > 0 ? (
        <Text>
          <Anchor component={Link} to={paths.matchReview}>
            {counted(pending, 'record needs', 'records need')} review in the match queue
          </Anchor>
        </Text>
      ) : null}
      <Group>
        <SettingSwitch
          label="Enable automatic sync to HubSpot (Recommended)"
          isOn={isAutoSync}
          isSaving={isSaving}
          onChange={setChosen}
        />
      </Group>
      {open.length > 0 ? (
        <Alert
          role="note"
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          title="Not everything is done yet"
        >
          Still open: {open.map(({ step }) => stepLabels[step]).join(', ')}. In the list above, each leads to
          its step. The setup can be finished once all are done.
        </Alert>
      ) : null}
      {failure === null ? null : (
        <Alert color="red" role="alert" title="The setup was not finished">
          {failure}
        </Alert>
      )}
    </StepFrame>
  )
}

type ChecklistItemProps = {
  text: string
  /** Null while it is not known. */
  isDone: boolean | null
  step: SetupStep
}

function ChecklistItem({ text, isDone, step }: ChecklistItemProps) {
  return (
    <List.Item
      icon={
        <ThemeIcon size={22} radius="xl" color={isDone ? 'green.9' : 'gray.7'}>
          {isDone ? (
            <IconCheck size={14} aria-label="Done:" />
          ) : (
            <IconMinus size={14} aria-label={isDone === null ? 'Not known yet:' : 'Not done:'} />
          )}
        </ThemeIcon>
      }
    >
      {isDone !== false ? (
        text
      ) : (
        <Anchor component={Link} to={paths.setupStep(step)} underline="always">
          {text}
        </Anchor>
      )}
    </List.Item>
  )
}

/** Saves the choice and ends the wizard. A choice that cannot be saved does not delay the end. */
function useFinish() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const toast = useToast()
  const refreshProgress = useRefreshProgress()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const finish = async (isAutoSync: boolean) => {
    setSaving(true)
    setFailure(null)
    try {
      await call(setAutoSync, { body: { enabled: isAutoSync } })
    } catch (error) {
      logProblem('The automatic sync could not be saved', error)
    }
    try {
      const setupProgress = await call(updateSetupProgress, { body: { setupComplete: true } })
      client.setQueryData<ResponseOf<typeof getCurrentUser>>(
        endpointKey(getCurrentUser, {}),
        (user) => user && { ...user, setupComplete: true, setupProgress },
      )
      toast({ title: 'Setup completed!', description: 'Your data is ready.' })
      await navigate(paths.dashboard)
      void refreshProgress()
    } catch (error) {
      const description = serverText(error, 'An error occurred while saving your progress.')
      setFailure(description)
      toast({ title: 'Error completing setup', description, isError: true })
    }
    setSaving(false)
  }
  return { finish, isSaving, failure }
}
