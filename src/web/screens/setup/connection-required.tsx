import { Alert, Anchor, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { SetupStep } from '#domain/setup.ts'
import { stepLabels } from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'

/** Says why a step cannot begin, and leads to the step of each connection that is missing. */
export function ConnectionRequired({ text, steps }: { text: string; steps: readonly SetupStep[] }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} title="Connection Required">
      <Text size="sm">{text}</Text>
      <Group mt="xs">
        {steps.map((step) => (
          <Anchor key={step} component={Link} to={paths.setupStep(step)} size="sm" underline="always">
            {stepLabels[step]}
          </Anchor>
        ))}
      </Group>
    </Alert>
  )
}
