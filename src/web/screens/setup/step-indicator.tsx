import { Group, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { SetupStep } from '#domain/setup.ts'
import {
  isOnlyPassed,
  isStepDone,
  type SetupFlags,
  shownSteps,
  stepLabels,
} from '../../components/setup-steps.ts'

type StepIndicatorProps = { current: SetupStep; progress: SetupFlags | null }

/** Shows the current step of the wizard. */
export function StepIndicator({ current, progress }: StepIndicatorProps) {
  return (
    <Group component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Setup steps">
      {shownSteps(current).map((step, index) => {
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
              variant={isDone || isCurrent ? 'filled' : 'default'}
              {...(isDone ? { color: 'green.9' } : {})}
            >
              {isDone ? <IconCheck size={16} aria-hidden /> : <span>{index + 1}</span>}
            </ThemeIcon>
            <Text size="sm" fw={isCurrent ? 600 : 400}>
              {stepLabels[step]}
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
