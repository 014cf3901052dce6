import { Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { useCallback } from 'react'
import type { InvoiceEntry } from '#contract/customers/customers.ts'
import { labelOf } from '#domain/subscription.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { Money } from '../figures/money.tsx'
import { Term } from '../terms/term.tsx'

type InvoiceCardProps = { invoiceId: string; invoice: InvoiceEntry | undefined; error: Error | null }

/** Shows an invoice that a person searched for, marked and scrolled to. */
export function InvoiceCard({ invoiceId, invoice, error }: InvoiceCardProps) {
  const show = useCallback((card: HTMLElement | null) => card?.scrollIntoView({ block: 'center' }), [])
  const name = invoice?.number ?? invoiceId
  return (
    <Card
      withBorder
      component="section"
      aria-label={`Invoice ${name}`}
      ref={show}
      style={{ borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 }}
    >
      <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
        Invoice {invoice?.stripeLink ? <ExternalLink href={invoice.stripeLink}>{name}</ExternalLink> : name}
      </Title>
      {invoice !== undefined ? (
        <Facts invoice={invoice} />
      ) : error === null ? (
        <Skeleton h={lineHeight} />
      ) : (
        <Text size="sm">{problemText(error)}</Text>
      )}
    </Card>
  )
}

const lineHeight = 'calc(var(--mantine-font-size-md) * var(--mantine-line-height-md))'

function Facts({ invoice: { amount, currency, status, createdAt } }: { invoice: InvoiceEntry }) {
  return (
    <Group gap="lg" style={{ rowGap: 0 }}>
      <Text fw={600}>
        <Money amountCents={amount} currency={currency} />
      </Text>
      <Text>{status === null ? '-' : labelOf(status)}</Text>
      <Text>{formatDay(createdAt)}</Text>
      <Text size="sm" c="dimmed" component="div">
        <Term name="invoiceAmount">Without added tax</Term>
      </Text>
    </Group>
  )
}
