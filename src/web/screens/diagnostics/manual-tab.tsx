import { Alert, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { JsonPanel } from './json-panel.tsx'
import type { Samples } from './use-samples.ts'
import { useTestAssociation } from './use-test-association.ts'

/** Associates one transaction with one subscription, and shows HubSpot's whole answer. */
export function ManualTab({ samples }: { samples: Samples }) {
  const transaction = useSample(samples.transactionId)
  const subscription = useSample(samples.subscriptionId)
  const { test, result, problem, isBusy } = useTestAssociation()
  const isBarred = !useObstacles().areRecordsReadable
  const ids = { transactionId: transaction.id.trim(), subscriptionId: subscription.id.trim() }
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        A transaction is an event of a subscription. The test makes the association in HubSpot. An association
        between two that do not belong together is removed by the next sync.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Selector name="Transaction" sample={transaction} />
        <Selector name="Subscription" sample={subscription} />
      </SimpleGrid>
      <Group>
        <StartButton
          isBusy={isBusy}
          isOff={isBusy || isBarred || transaction.id === '' || subscription.id === ''}
          onClick={() => test(ids)}
        >
          Test Association
        </StartButton>
      </Group>
      {problem === null || isBarred ? null : (
        <Alert color="red" title="Error" role="alert">
          {problem}
        </Alert>
      )}
      {result === null ? null : (
        <>
          <Alert
            color={result.success ? 'green' : 'red'}
            title={result.success ? 'Success' : 'Error'}
            role={result.success ? 'status' : 'alert'}
          >
            {result.message}
          </Alert>
          <JsonPanel title="Existing Associations" value={result.associations} />
          <JsonPanel title="Creation Result" value={result.result} />
        </>
      )}
    </Stack>
  )
}

type Sample = { id: string; setId: (id: string) => void; sampleId: string | null }

/** The id that the person typed or chose; before that, the id of the sample. */
function useSample(sampleId: string | null | undefined): Sample {
  const [typed, setId] = useState<string | null>(null)
  return { id: typed ?? sampleId ?? '', setId, sampleId: sampleId ?? null }
}

function Selector({ name, sample: { id, setId, sampleId } }: { name: string; sample: Sample }) {
  const isSample = sampleId !== null && id === sampleId
  return (
    <Stack gap="xs">
      <NativeSelect
        label={name}
        value={isSample ? sampleId : ''}
        data={[
          { value: '', label: 'Another ID' },
          ...(sampleId === null ? [] : [{ value: sampleId, label: `Sample: ${sampleId}` }]),
        ]}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <TextInput
        label={`${name} ID`}
        maxLength={255}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
    </Stack>
  )
}
