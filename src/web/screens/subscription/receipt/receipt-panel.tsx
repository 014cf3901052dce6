import { Card, Group, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { getSubscriptionReceipt } from '#contract/mrr.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { useEndpoint } from '../../../client.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { freshMs } from '../../../queries/freshness.ts'
import { ReadFailure } from '../../../ui/problems/unread.tsx'
import { ReceiptView } from './receipt-view.tsx'

/** Explains the current MRR of a subscription. It is folded, and asks for the receipt when it is opened. */
export function ReceiptPanel({ subscription }: { subscription: Subscription }) {
  const { subscriptionId, currentMrr, currency, unsupportedReason } = subscription
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Card withBorder component="section" aria-labelledby="receipt-title">
      <Stack gap="sm">
        <Title order={3} size="h5" id="receipt-title">
          <UnstyledButton fz="inherit" fw="inherit" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Group component="span" gap="xs" wrap="nowrap">
              <Chevron size={18} aria-hidden />
              {unsupportedReason === null
                ? `How ${formatMoney(currentMrr, currency)} was calculated`
                : 'Why it is not counted'}
            </Group>
          </UnstyledButton>
        </Title>
        {isOpen ? <CurrentReceipt subscriptionId={subscriptionId} /> : null}
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
      <ReadFailure
        title="The calculation could not be loaded"
        error={answer.error}
        onRetry={() => void answer.refetch()}
      />
    )
  }
  const { unsupportedReason, receipt } = answer.data
  if (unsupportedReason !== null) {
    return <Text>It is not counted, so there is nothing to add up: {unsupportedReason}</Text>
  }
  return <ReceiptView receipt={receipt} />
}
