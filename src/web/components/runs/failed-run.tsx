import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSyncStatus } from '#contract/sync.ts'
import { paths } from '../../paths.ts'
import { Ago } from '../../ui/time/instant.tsx'

type FailedRunProps = { title: string; outcome: ResponseOf<typeof getSyncStatus>['lastSync'] }

/** Shows why the newest run failed, beside the buttons that start runs. Renders nothing when it did not fail. */
export function FailedRun({ title, outcome }: FailedRunProps) {
  if (outcome?.status !== 'failed') return null
  return (
    <Alert color={outcome.isBeforeConnection ? 'yellow' : 'red'} role="alert" title={title}>
      <Text size="sm">
        {outcome.isBeforeConnection
          ? 'It was connected again since then, so the next run may succeed.'
          : outcome.message || 'No reason was given.'}
      </Text>
      <Text size="sm" mt={4}>
        <Ago at={outcome.endedAt} />,{' '}
        <Anchor component={Link} to={paths.run(outcome.id)} size="sm" underline="always">
          details in Sync History
        </Anchor>
      </Text>
    </Alert>
  )
}
