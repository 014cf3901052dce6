import { Anchor, Group, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { SetupStep } from '#domain/setup.ts'
import {
  isOnlyPassed,
  isOpen,
  isStepDone,
  type SetupFlags,
  shownSteps,
  stepLabels,
} from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'

type StepIndicatorProps = {
  current: SetupStep
  progress: SetupFlags | null
  /** Whether HubSpot's custom objects could not be created. */
  areObjectsLacking?: boolean
}

/** Shows the current step of the wizard, and leads to those that are open. Only what is really done is green. */
export function StepIndicator({ current, progress, areObjectsLacking }: StepIndicatorProps) {
  return (
    <Group component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Setup steps">
      {shownSteps(current, areObjectsLacking).map((step, index) => {
        const isCurrent = step === current
        const isDone = isStepDone(step, current, progress)
        const isPassed = isOnlyPassed(step, current, progress)
        return (
          <Group
            key={step}
            component="li"
            gap={6}
            wrap="nowrap"
            aria-current={isCurrent ? 'step' : undefined}
            data-done={isDone}
          >
            <ThemeIcon
              size={26}
              radius="xl"
              variant={(isDone && !isPassed) || isCurrent ? 'filled' : 'default'}
              {...(isDone && !isPassed ? { color: 'green.9' } : {})}
            >
              {isDone ? <IconCheck size={16} aria-hidden /> : <span>{index + 1}</span>}
            </ThemeIcon>
            <Text size="sm" fw={isCurrent ? 600 : 400}>
              {isCurrent || !isOpen(step, current, progress) ? (
                stepLabels[step]
              ) : (
                <Anchor
                  component={Link}
                  to={paths.setupStep(step)}
                  aria-label={`Step ${index + 1}: ${stepLabels[step]}`}
                  inherit
                  c="inherit"
                  underline="always"
                >
                  {stepLabels[step]}
                </Anchor>
              )}
              {isDone && !isPassed ? <VisuallyHidden> (done)</VisuallyHidden> : null}
              {isPassed ? (
                <Text span size="sm" c="dimmed">
                  {' '}
                  not done
                </Text>
              ) : null}
            </Text>
          </Group>
        )
      })}
    </Group>
  )
}
