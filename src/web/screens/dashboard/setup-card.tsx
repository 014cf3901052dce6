import { Button, Card, Group, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ManagersNote } from '../../components/managers-note.tsx'
import { isStepReached, type SetupFlags, shownSteps, stepLabels } from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser, useIsManager } from '../../queries/session.ts'

type SetupCardProps = {
  /** Whether figures stand below, also from before a reset of the setup; undefined while it is not known. */
  hasFigures: boolean | undefined
}

/** Shows what is left of the setup. Renders nothing once it is complete. */
export function SetupCard({ hasFigures }: SetupCardProps) {
  const progress = useCurrentUser().data?.setupProgress
  if (!progress || progress.setupComplete) return null
  return <Steps progress={progress} hasFigures={hasFigures} />
}

/** What the steps are for: a reset of the setup leaves the figures, and the records in HubSpot. */
function aimOf({ dataImported, dataSynced }: SetupFlags, hasFigures: boolean | undefined): string | null {
  if (hasFigures === undefined) return null
  if (!hasFigures) return 'After the last, your MRR is here, and in HubSpot.'
  if (dataImported && !dataSynced) return 'After the last, your MRR is in HubSpot too.'
  return 'After the last, your MRR is kept up to date, here and in HubSpot.'
}

function Steps({ progress, hasFigures }: { progress: SetupFlags } & SetupCardProps) {
  const isManager = useIsManager()
  const steps = shownSteps('crm').map((step) => ({ step, isDone: isStepReached(step, progress) }))
  const left = steps.filter(({ isDone }) => !isDone).length
  return (
    <Card withBorder component="section" aria-label="Setup">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {left === steps.length ? 'Set up your account' : 'Finish the setup'}
          </Title>
          <Text size="sm" c="dimmed">
            {steps.length - left} of {steps.length} steps are done. {aimOf(progress, hasFigures)}
          </Text>
        </div>
        <Group component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {steps.map(({ step, isDone }, at) => (
            <Group key={step} component="li" gap={6} wrap="nowrap">
              <ThemeIcon
                size={26}
                radius="xl"
                variant={isDone ? 'filled' : 'default'}
                {...(isDone ? { color: 'green.9' } : {})}
              >
                {isDone ? <IconCheck size={16} aria-hidden /> : <span>{at + 1}</span>}
              </ThemeIcon>
              <Text size="sm">
                {stepLabels[step]}
                {isDone ? <VisuallyHidden> (done)</VisuallyHidden> : null}
              </Text>
            </Group>
          ))}
        </Group>
        {isManager ? (
          <Button component={Link} to={paths.setup} style={{ alignSelf: 'flex-start' }}>
            Continue setup
          </Button>
        ) : (
          <ManagersNote what="finish the setup" />
        )}
      </Stack>
    </Card>
  )
}
