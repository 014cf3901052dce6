import { Button, Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import { stepSpelled } from '#contract/setup.ts'
import type { SetupStep } from '#domain/setup.ts'
import { stepToContinue } from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'
import { useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useCurrentUser, useIsManager } from '../../queries/session.ts'
import { MessagePage } from '../../ui/message-page.tsx'
import { FinishStep } from './finish-step.tsx'
import { HubspotStep } from './hubspot-step.tsx'
import { ImportStep } from './import-step.tsx'
import { MemberSetup } from './member-setup.tsx'
import { ObjectsStep } from './objects-step.tsx'
import { StepIndicator } from './step-indicator.tsx'
import { StripeStep } from './stripe-step.tsx'
import { SyncStep } from './sync-step.tsx'

const screens: Record<SetupStep, () => ReactNode> = {
  crm: () => <HubspotStep />,
  payments: () => <StripeStep />,
  objects: () => <ObjectsStep />,
  import: () => <ImportStep />,
  sync: () => <SyncStep />,
  finish: () => <FinishStep />,
}

/** The wizard: /setup continues at the saved step, /setup/{step} shows one step. Members only see the progress. */
export function SetupScreen() {
  const { step: spelling } = useParams()
  const { search } = useLocation()
  const { data: user } = useCurrentUser()
  const isManager = useIsManager()
  const progress = user?.setupProgress ?? null
  const failedObjects = useFailedObjects(isManager && progress?.hubspotConnected === true)
  if (!isManager && user?.setupComplete) return <Navigate to={paths.dashboard} replace />
  if (!isManager) return <MemberSetup progress={progress} />
  if (spelling === undefined) {
    const saved = progress === null ? 'crm' : stepSpelled(progress.currentStep)
    const pathname = paths.setupStep(progress === null ? saved : stepToContinue(saved, progress))
    return <Navigate to={{ pathname, search }} replace />
  }
  const step = stepSpelled(spelling)
  if (step === undefined) {
    return (
      <MessagePage title="Invalid setup step. Please start over.">
        <Button component={Link} to={paths.setupStep('crm')}>
          Start Setup
        </Button>
      </MessagePage>
    )
  }
  if (step === 'finish' && user?.setupComplete) return <Navigate to={paths.dashboard} replace />
  return (
    <Stack maw={860} mx="auto" w="100%">
      <Title order={2} size="h3">
        Account Setup
      </Title>
      <StepIndicator current={step} progress={progress} areObjectsLacking={failedObjects !== null} />
      <Card withBorder padding="lg">
        {screens[step]()}
      </Card>
    </Stack>
  )
}
