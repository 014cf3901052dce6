import { Alert, Anchor, Button, Code, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type getImportJob, getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { answerText, failedStep, textForSupport } from './failure-words.ts'
import { ImportNow } from './import-now.tsx'
import { SyncNow } from './sync-now.tsx'

type FailedRun = {
  run: ResponseOf<typeof getImportJob>
  /** The filters of the list behind it, as they stand in the address. */
  search: string
}

/** Says why a run failed, at which step and request, and starts it again. Only a recount starts again by itself. */
export function RunFailure({ run, error, search }: FailedRun & { error: string }) {
  return (
    <Alert role="note" color="red" title="Error">
      {error}
      <Stack gap="xs" mt="xs">
        <Facts run={run} />
        {run.type === 'recount' ? null : <StartAgain run={run} search={search} />}
      </Stack>
    </Alert>
  )
}

/** Where it failed, in the words that the provider's support asks for. */
function Facts({ run }: Pick<FailedRun, 'run'>) {
  const { method, path, id } = run.failure?.request ?? {}
  const [step, answer] = [failedStep(run), answerText(run)]
  const provider = run.type === 'import' ? 'Stripe' : 'HubSpot'
  return (
    <>
      {step === null && path === undefined && answer === null ? null : (
        <List size="sm" spacing={2} style={{ overflowWrap: 'anywhere' }}>
          <Fact name="Step" value={step} />
          <Fact name="Request" value={path === undefined ? null : <Code>{`${method} ${path}`}</Code>} />
          <Fact name="Answer" value={answer === null ? null : <Code>{answer}</Code>} />
          <Fact name="Request id" value={id === undefined ? null : <Code>{id}</Code>} />
        </List>
      )}
      {id === undefined ? null : (
        <Group gap="xs">
          <Text size="sm">{provider}&apos;s support finds the request by its id.</Text>
          <CopyButton value={textForSupport(run)}>
            {({ copied, copy }) => (
              <Button variant="default" size="compact-sm" onClick={copy}>
                {copied ? 'Copied' : 'Copy for support'}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
    </>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return value === null ? null : (
    <List.Item>
      {name}: {value}
    </List.Item>
  )
}

/** Where and how it is run again; for a run that another one followed, how the last one ended. */
function StartAgain({ run, search }: FailedRun) {
  const { data: status } = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records })
  const last = (run.type === 'import' ? status?.lastImport : status?.lastSync) ?? null
  if (last !== null && run.processedAt !== null && last.endedAt > run.processedAt)
    return (
      <Anchor component={Link} to={`${paths.run(last.id)}${search}`} size="sm" underline="always">
        {`A later ${run.type} has ${last.status === 'completed' ? 'completed' : 'failed too'}`}
      </Anchor>
    )
  // Its provider is not connected, or refuses the connection: a button would fail again.
  const isBarred = last === null || (last.id === run.id && last.problem === null)
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" flex="1 1 260px">
        The connections and the buttons that start it again are on{' '}
        <Anchor component={Link} to={paths.dataSync} size="sm" underline="always">
          Data Sync
        </Anchor>
        .
      </Text>
      {status === undefined || isBarred ? null : run.type === 'import' ? (
        <ImportNow status={status} />
      ) : (
        <SyncNow status={status} />
      )}
    </Group>
  )
}
