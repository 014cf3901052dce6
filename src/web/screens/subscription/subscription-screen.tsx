import { Group, SimpleGrid, Stack, Title } from '@mantine/core'
import { useParams, useSearchParams } from 'react-router'
import { getSubscriptionHistory } from '#contract/customers/mrr-history.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { ApiError, useEndpoint } from '../../client.ts'
import { MrrSteps } from '../../components/charts/mrr-steps.tsx'
import { InvoiceCard } from '../../components/customers/invoice-card.tsx'
import { useNamedPage } from '../../components/frame/page-name.tsx'
import { BackButton } from '../../components/list-page/back-button.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { paths } from '../../paths.ts'
import { pollMs } from '../../queries/follow-run.ts'
import { useFoundInvoice } from '../../queries/found-records.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useObstacles } from '../../queries/session.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { MessagePage } from '../../ui/message-page.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'
import { EventHistory } from './event-history.tsx'
import { FactsStrip } from './facts-strip.tsx'
import { ReceiptPanel } from './receipt/receipt-panel.tsx'
import { RecordCard } from './record-card.tsx'
import { CustomerCard, SubscriptionCard } from './subscription-cards.tsx'

/** Shows one subscription with its customer and every change of its MRR. */
export function SubscriptionScreen() {
  const { id = '' } = useParams()
  const subscription = useEndpoint(
    getSubscription,
    { params: { id } },
    {
      staleTime: freshMs.records,
      // A running push may be about to change the state of the record.
      refetchInterval: ({ state }) => (state.data?.record?.isSyncing ? pollMs.syncJob : false),
    },
  )
  if (subscription.data !== undefined) return <SubscriptionDetails subscription={subscription.data} />
  if (subscription.isPending) return <PageSpinner />
  const { error } = subscription
  // The server refuses an impossible id as a malformed request. For the reader it is missing, like an unknown id.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <MessagePage title="Subscription Not Found" text="The requested subscription could not be found.">
        <BackButton path={paths.subscriptions} />
      </MessagePage>
    )
  }
  return (
    <MessagePage title="The subscription could not be loaded" text={problemText(error)}>
      <Group>
        <BackButton path={paths.subscriptions} />
        <TryAgain size="sm" variant="filled" onRetry={() => void subscription.refetch()} />
      </Group>
    </MessagePage>
  )
}

function SubscriptionDetails({ subscription }: { subscription: ResponseOf<typeof getSubscription> }) {
  const name = subscription.companyName || 'Unknown Company'
  const [params] = useSearchParams()
  const found = useFoundInvoice(params.get('invoice'))
  const isConnected = !useObstacles().missing.includes('HubSpot')
  useNamedPage(name)
  return (
    <Stack>
      <Group>
        <BackButton path={paths.subscriptions} />
      </Group>
      <Group gap="sm">
        <Title order={2} size="h3">
          {name}
        </Title>
        <StatusBadge status={subscription.status} />
        {subscription.stripeLink === null ? (
          <span>{subscription.subscriptionId}</span>
        ) : (
          <ExternalLink href={subscription.stripeLink}>{subscription.subscriptionId}</ExternalLink>
        )}
      </Group>
      {found === null ? null : <InvoiceCard key={found.invoiceId} {...found} />}
      <FactsStrip subscription={subscription} />
      <Steps subscriptionId={subscription.subscriptionId} />
      <EventHistory subscriptionId={subscription.subscriptionId} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <CustomerCard subscription={subscription} isConnected={isConnected} />
          <RecordCard subscriptionId={subscription.subscriptionId} record={subscription.record} />
        </Stack>
        <SubscriptionCard
          subscription={subscription}
          freshness={subscription.freshness}
          isRefused={subscription.record?.state === 'failed'}
        />
      </SimpleGrid>
      <ReceiptPanel subscription={subscription} />
    </Stack>
  )
}

function Steps({ subscriptionId }: { subscriptionId: string }) {
  const history = useEndpoint(
    getSubscriptionHistory,
    { params: { id: subscriptionId } },
    { staleTime: freshMs.records },
  )
  return (
    <MrrSteps series={history.data?.series} error={history.error} onRetry={() => void history.refetch()} />
  )
}
