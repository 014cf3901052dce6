import { Alert, Anchor, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSyncStatus } from '#contract/sync.ts'
import { paths } from '../../paths.ts'
import { Ago } from '../../ui/time/instant.tsx'
import { reconnectedText } from './refused-text.ts'

type FailedRunProps = {
  title: string
  outcome: ResponseOf<typeof getSyncStatus>['lastSync']
  /** The button that runs it again, where the screen has none beside it. */
  cure?: ReactNode
}

/** Shows why the last run of a kind failed. Renders nothing where its failure means nothing any more. */
export function FailedRun({ title, outcome, cure }: FailedRunProps) {
  if (!outcome?.problem) return null
  const isReconnected = outcome.problem === 'reconnected'
  return (
    <Alert color={isReconnected ? 'yellow' : 'red'} role="alert" title={title}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm">{isReconnected ? reconnectedText : outcome.message || 'No reason was given.'}</Text>
          <Text size="sm" mt={4}>
            <Ago at={outcome.endedAt} />,{' '}
            <Anchor component={Link} to={paths.run(outcome.id)} size="sm" underline="always">
              details in Sync History
            </Anchor>
          </Text>
        </div>
        {cure}
      </Group>
    </Alert>
  )
}
