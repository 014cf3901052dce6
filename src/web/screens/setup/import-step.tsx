import { Alert, Anchor, Progress as Bar, Group, List, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconHelpCircle, IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getImportStatus } from '#contract/imports.ts'
import { percentOf } from '../../components/figures/percent.ts'
import { ImportCounts } from '../../components/runs/import-counts.tsx'
import { sumOf } from '../../components/runs/import-sum.ts'
import { importedText, importPhaseText } from '../../components/runs/import-words.ts'
import { RunPace } from '../../components/runs/run-pace.tsx'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { ConnectionRequired } from './connection-required.tsx'
import { StepFrame } from './step-frame.tsx'
import { useAdvance } from './use-advance.ts'
import { useImport } from './use-import.ts'

type Progress = NonNullable<ResponseOf<typeof getImportStatus>>

export function ImportStep() {
  const { advance, isSaving } = useAdvance('import')
  const imported = useImport()
  const { phase, progress, start, restart, isRestarting, cancel, isCancelling } = imported
  const isBusy = phase === 'starting' || phase === 'running'
  const hasStripe = useCurrentUser().data?.setupProgress?.stripeConnected !== false
  // Until a worker has planned it, the import is only starting.
  const isUnderWay = phase === 'running' && progress !== null && progress.counts.length > 0
  return (
    <StepFrame
      step="import"
      title="Import Stripe Data"
      actions={
        <StartButton isOff={phase !== 'complete'} isBusy={isSaving} onClick={() => void advance()}>
          Continue
        </StartButton>
      }
    >
      <List spacing={4}>
        <List.Item>All of your subscription and invoice history is imported.</List.Item>
        <List.Item>MRR changes are calculated from invoices.</List.Item>
        <List.Item>Nothing syncs to HubSpot until you are ready.</List.Item>
        <List.Item>The import may take several minutes.</List.Item>
      </List>
      {hasStripe || phase === 'running' ? null : (
        <ConnectionRequired text="Stripe connection is required for the import." steps={['payments']} />
      )}
      <Unread what="The last import" error={imported.unread} onRetry={imported.retryRead} />
      {phase === 'cancelled' ? (
        <Alert
          role="note"
          color="gray"
          icon={<IconInfoCircle aria-hidden />}
          title="The last import was canceled"
        >
          {progress?.message}
        </Alert>
      ) : null}
      {phase === 'failed' ? (
        <Alert color="red" role="alert" title="Import Failed">
          {progress?.message || 'Failed to import data.'}
        </Alert>
      ) : null}
      {phase === 'running' ? (
        <Importing progress={progress} isCancelling={isCancelling} onCancel={cancel} />
      ) : null}
      {phase === 'complete' ? (
        <>
          <Outcome progress={progress} />
          <Reimport isBusy={isRestarting} onRestart={restart} />
        </>
      ) : isUnderWay ? null : (
        <Group>
          <StartButton isOff={isBusy || !hasStripe} onClick={start}>
            {isBusy ? 'Starting Import...' : 'Import All Stripe Data'}
          </StartButton>
        </Group>
      )}
    </StepFrame>
  )
}

type ImportingProps = { progress: Progress | null; isCancelling: boolean; onCancel: () => void }

function Importing({ progress, isCancelling, onCancel }: ImportingProps) {
  const counts = progress?.counts ?? []
  const phase = progress === null ? null : importPhaseText(progress)
  const sum = sumOf(counts)
  return (
    <Stack gap="xs">
      <Group role="status">
        <Loader size="sm" />
        <Text fw={600}>Importing Your Stripe Data</Text>
      </Group>
      {phase === null ? null : <Text size="sm">{phase}</Text>}
      {/* The message would repeat these counts a little later. */}
      {progress?.message && counts.length === 0 && phase === null ? (
        <Text size="sm">{progress.message}</Text>
      ) : null}
      <Bar value={percentOf(sum.processed, sum.total)} aria-label="Import" />
      <ImportCounts counts={counts} />
      <RunPace work="import" {...sum} isEndTold={phase !== null} />
      <Group>
        <StartButton size="xs" variant="default" isBusy={isCancelling} onClick={onCancel}>
          Cancel
        </StartButton>
      </Group>
    </Stack>
  )
}

function Outcome({ progress }: { progress: Progress | null }) {
  if (progress === null) {
    return <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Import Complete" />
  }
  const text = importedText(progress)
  if (text === null) {
    return (
      <Alert color="yellow" icon={<IconHelpCircle aria-hidden />} title="Is this the right Stripe account?">
        Stripe was read to the end and holds no customers and no events. If you expected some, the key may
        belong to another account or to test mode:{' '}
        <Anchor component={Link} to={paths.setupStep('payments')} size="sm" underline="always">
          check the Stripe key
        </Anchor>
        .
      </Alert>
    )
  }
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Import Complete">
      {text}
    </Alert>
  )
}

function Reimport({ isBusy, onRestart }: { isBusy: boolean; onRestart: () => void }) {
  return (
    <Alert role="note" color="gray" title="Need to reimport?">
      <Group justify="space-between">
        <Text size="sm">Your connections and settings stay as they are.</Text>
        <StartButton variant="default" size="xs" isBusy={isBusy} onClick={onRestart}>
          Restart Import Only
        </StartButton>
      </Group>
    </Alert>
  )
}
