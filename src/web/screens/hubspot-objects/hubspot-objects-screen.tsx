import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { serverText } from '../../client.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { paths } from '../../paths.ts'
import { useConnectionStatus } from '../../queries/connection-status.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useAmounts } from '../../queries/hubspot-amounts.ts'
import { type CheckedObject, useObjectCheck, useObjectPlan } from '../../queries/object-check.ts'
import { useCurrentUser, useIsManager, useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { Unread } from '../../ui/problems/unread.tsx'
import { AmountsCard } from './amounts-card.tsx'
import { CheckResult, isComplete } from './check-result.tsx'
import { ObjectInstructions } from './object-instructions.tsx'

/** What the screen is for, by what stands in HubSpot. Null is not known: to members, or while HubSpot does not answer. */
function introOf(checked: readonly CheckedObject[] | null): { title: string; lead: string } {
  if (checked === null)
    return {
      title: 'HubSpot objects',
      lead: 'Tributary keeps its records in two custom objects of HubSpot. If Tributary cannot create them, an admin of HubSpot does it by hand: the instructions say how.',
    }
  if (checked.every((object) => object.isOurs && isComplete(object)))
    return {
      title: 'Your HubSpot objects',
      lead: 'Tributary keeps its records in these two custom objects of HubSpot. Nothing has to be done here.',
    }
  if (checked.every(isComplete))
    return {
      title: 'Confirm the HubSpot objects',
      lead: 'Both custom objects exist in HubSpot. Say below that Tributary may use them.',
    }
  if (checked.every(({ objectTypeId }) => objectTypeId !== null))
    return {
      title: 'Complete the HubSpot objects',
      lead: 'Both custom objects exist in HubSpot, but not all of what Tributary needs. Correct what is told below; then check again.',
    }
  return {
    title: 'Create the HubSpot objects by hand',
    lead: 'Use this where HubSpot does not let Tributary create its two custom objects. An admin of HubSpot creates them as described below; then check them here.',
  }
}

/** Says how to make the custom objects in HubSpot by hand, and whether what stands there fits. */
export function HubspotObjectsScreen() {
  const plan = useObjectPlan()
  const isManager = useIsManager()
  const { data: user } = useCurrentUser()
  const { status, isPending } = useConnectionStatus({ staleTime: freshMs.connectionOnDataSync })
  const isConnected = status.hubspot.dbConnected
  const obstacles = useObstacles()
  const isReadable = isConnected && obstacles.isHubspotUsable
  const check = useObjectCheck(isManager && isReadable)
  const amounts = useAmounts(isReadable)
  const isSetUp = user?.setupComplete === true
  // What is known last would push down what is read by then.
  const isAwaited = isPending || plan.isPending || check.isAwaited || amounts.isLoading
  const [isUnfolded, setUnfolded] = useState(false)
  const instructions = useRef<HTMLDivElement>(null)
  // The button that showed them is gone.
  useEffect(() => {
    if (isUnfolded) instructions.current?.focus()
  }, [isUnfolded])
  // Where HubSpot is connected, the objects may exist without being seen, unless they could not be created.
  const mayExist =
    check.checked?.every(isComplete) ?? (isConnected && isManager && !obstacles.areObjectsMissing)
  const isFolded = !isUnfolded && mayExist
  if (isAwaited) return <PageSpinner />
  const { title, lead } = introOf(check.checked)
  const checkAgain = () => {
    check.checkAgain()
    void amounts.refetch()
  }
  return (
    <Stack maw={960}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text c="dimmed">{lead}</Text>
      </div>
      <Group className="not-printed">
        <StartButton isBusy={check.isChecking} isOff={!isManager || !isReadable} onClick={checkAgain}>
          Check again
        </StartButton>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Anchor component={Link} to={isSetUp ? paths.dataSync : paths.setup} size="sm" underline="always">
          Back to {isSetUp ? 'Data Sync' : 'the Setup Wizard'}
        </Anchor>
      </Group>
      {isManager ? null : <ManagersNote what="check the objects" />}
      <SyncObstacles obstacles={obstacles} withoutHubspot="The objects cannot be checked here" />
      {check.problem === null ? null : (
        <Alert color="red" role="alert" title="The objects could not be checked">
          {serverText(check.problem, problemText(check.problem))}
          {obstacles.areObjectsMissing ? <WayToObjects /> : null}
        </Alert>
      )}
      {check.checked === null ? null : <CheckResult checked={check.checked} />}
      <Unread
        what="How HubSpot shows amounts"
        error={check.problem === null && !check.isChecking ? amounts.error : null}
        onRetry={() => void amounts.refetch()}
      />
      {amounts.data === undefined ? null : <AmountsCard amounts={amounts.data} />}
      <Unread what="The instructions" error={plan.error} onRetry={() => void plan.refetch()} />
      {isFolded ? (
        <Group>
          <Button variant="default" onClick={() => setUnfolded(true)}>
            Show the instructions
          </Button>
        </Group>
      ) : (
        <Stack ref={instructions} tabIndex={-1} style={{ outline: 'none' }}>
          {plan.data?.objects.map((object, at) => (
            <ObjectInstructions key={object.name} number={at + 1} object={object} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

/** Objects that cannot be read cannot be used either, by whomever they were made. */
function WayToObjects() {
  return (
    <Text size="sm" mt="xs">
      Until this works, Tributary cannot use objects made by hand either. Connect HubSpot again with what is
      missing:{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        Data Sync says what it is
      </Anchor>
    </Text>
  )
}
