import { Alert, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getSubscriptionReceipt } from '#contract/mrr.ts'
import { useEndpoint } from '../../../client.ts'
import { freshMs } from '../../../queries/freshness.ts'
import { problemText } from '../../../ui/problem-text.ts'
import { ReceiptView } from './receipt-view.tsx'

/** Explains the current MRR of a subscription. */
export function ReceiptPanel({ subscriptionId }: { subscriptionId: string }) {
  return (
    <Card withBorder component="section" aria-labelledby="receipt-title">
      <Stack gap="sm">
        <Title order={3} size="h5" id="receipt-title">
          How this was calculated
        </Title>
        <CurrentReceipt subscriptionId={subscriptionId} />
      </Stack>
    </Card>
  )
}

function CurrentReceipt({ subscriptionId }: { subscriptionId: string }) {
  const answer = useEndpoint(
    getSubscriptionReceipt,
    { params: { id: subscriptionId } },
    { staleTime: freshMs.records },
  )
  if (answer.isPending) return <Skeleton height={120} />
  if (answer.data === undefined) {
    return (
      <Alert color="red" role="alert" title="The calculation could not be loaded">
        {problemText(answer.error)}
      </Alert>
    )
  }
  const { unsupportedReason, receipt } = answer.data
  if (unsupportedReason !== null) {
    return <Text>It is not counted, so there is nothing to add up: {unsupportedReason}</Text>
  }
  return <ReceiptView receipt={receipt} />
}
