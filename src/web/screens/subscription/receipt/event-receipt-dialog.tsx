import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Transaction } from '#contract/events.ts'
import { getEventReceipt } from '#contract/mrr.ts'
import { useEndpoint } from '../../../client.ts'
import { EventBadge } from '../../../components/event-badge.tsx'
import { Money, MoneyChange } from '../../../components/figures/money.tsx'
import { freshMs } from '../../../queries/freshness.ts'
import { formatDay } from '../../../ui/dates.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { ReadFailure } from '../../../ui/problems/unread.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { WhatChanged } from './what-changed.tsx'

type EventReceiptDialogProps = { event: Transaction | null; onClose: () => void }

/** Explains the MRR after an event. `event` null keeps it closed. */
export function EventReceiptDialog({ event, onClose }: EventReceiptDialogProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)') ?? false
  return (
    <Dialog
      opened={event !== null}
      onClose={onClose}
      title="How this was calculated"
      size="xl"
      fullScreen={isNarrow}
    >
      {event === null ? null : (
        <Stack>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {[nameOf(event), event.productName].filter(Boolean).join(', ')}
          </Text>
          <EventReceipt event={event} />
        </Stack>
      )}
    </Dialog>
  )
}

/** Says whose event it is, for somebody who was sent the address. */
function nameOf({ companyName, customerName, customerEmail }: Transaction): string {
  return customerName || companyName || customerEmail || 'Unknown Customer'
}

function EventReceipt({ event }: { event: Transaction }) {
  const answer = useEndpoint(
    getEventReceipt,
    { params: { eventId: event.transactionId } },
    { staleTime: freshMs.records },
  )
  if (answer.isPending) return <Skeleton height={160} />
  if (answer.data === undefined) {
    return (
      <ReadFailure
        title="The calculation could not be loaded"
        error={answer.error}
        onRetry={() => void answer.refetch()}
      />
    )
  }
  const { previousMrr, currentMrr, mrrChange, currency, occurredAt, receipt, previousReceipt } = answer.data
  const { hasSilentChange } = answer.data
  const end = receipt?.endsAt ? `, on ${formatDay(receipt.endsAt)}` : ''
  return (
    <Stack>
      <Group gap="xs">
        <EventBadge mrrStatus={event.mrrStatus} />
        <Text size="sm">{formatDay(occurredAt)}</Text>
      </Group>
      {mrrChange === 0 ? (
        <Text size="sm">
          MRR stayed at <Money amountCents={currentMrr} currency={currency} />: a planned cancellation changes
          it only when the subscription ends{end}.
        </Text>
      ) : (
        <Text size="sm">
          From <Money amountCents={previousMrr} currency={currency} /> to{' '}
          <Money amountCents={currentMrr} currency={currency} />, a change of{' '}
          <MoneyChange amountCents={mrrChange} currency={currency} />.
        </Text>
      )}
      {mrrChange === 0 || receipt === null || previousReceipt === null ? null : (
        <WhatChanged before={previousReceipt} after={receipt} hasSilentChange={hasSilentChange} />
      )}
      <Text size="sm">How {mrrChange === 0 ? 'it' : 'the new MRR'} was calculated:</Text>
      <ReceiptView receipt={receipt} />
      {event.reportingMrrChange === null || event.rateText === null ? null : (
        <Text size="sm">
          In totals, the change is{' '}
          <MoneyChange amountCents={event.reportingMrrChange} currency={event.reportingCurrency} />{' '}
          {event.rateText}.
        </Text>
      )}
    </Stack>
  )
}
