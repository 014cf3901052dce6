import { Group } from '@mantine/core'
import type { Transaction } from '#contract/events.ts'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import { Money } from '../../components/figures/money.tsx'
import type { CardLines } from '../../components/list-page/column.ts'
import { QuantityChange } from '../../components/quantity-change.tsx'
import { formatDay } from '../../ui/dates.ts'
import { methodText } from './event-history-columns.tsx'
import { type Calculation, CalculationButton, InvoiceLink } from './event-links.tsx'

/** An event among those of its subscription, on a narrow screen: what MRR it led to, and how that was calculated. */
export const eventHistoryCard =
  (calculation: Calculation) =>
  (event: Transaction): CardLines => ({
    title: formatDay(event.transactionDate),
    amount: <EventChange event={event} />,
    amountName: 'MRR change',
    badge: <EventBadge mrrStatus={event.mrrStatus} />,
    date: (
      <>
        MRR <Money amountCents={event.currentMrr} currency={event.currency} />
      </>
    ),
    more: (
      <>
        {[event.productName, changeTypeLabel(event.changeType), methodText(event)].filter(Boolean).join(', ')}
        <div>
          Quantity{' '}
          {event.previousQuantity === event.currentQuantity ? (
            event.currentQuantity.toLocaleString('en-US')
          ) : (
            <QuantityChange {...event} />
          )}
        </div>
        <Group justify="space-between">
          {/* Paper has no button to press. */}
          <span className="not-printed">
            Calculation: <CalculationButton event={event} {...calculation} />
          </span>
          {event.invoiceId === null ? null : <InvoiceLink event={event} />}
        </Group>
      </>
    ),
  })
