import { Anchor, Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { FoundInvoice } from '#contract/customers/customers.ts'
import { labelOf } from '#domain/subscription.ts'
import { paths } from '../../paths.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { leadTo } from '../../ui/keep-in-sight.ts'
import { problemText } from '../../ui/problems/problem-text.ts'
import { counted } from '../counted.ts'
import { Money, MoneyChange } from '../figures/money.tsx'
import { Term } from '../terms/term.tsx'

type InvoiceCardProps = { invoiceId: string; invoice: FoundInvoice | undefined; error: Error | null }

/** Shows an invoice that a person searched for, marked and scrolled to. */
export function InvoiceCard({ invoiceId, invoice, error }: InvoiceCardProps) {
  const name = invoice?.number ?? invoiceId
  return (
    <Card
      withBorder
      component="section"
      aria-label={`Invoice ${name}`}
      ref={leadTo}
      style={{ borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 }}
    >
      <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
        Invoice {invoice?.stripeLink ? <ExternalLink href={invoice.stripeLink}>{name}</ExternalLink> : name}
      </Title>
      {invoice !== undefined ? (
        <Facts invoice={invoice} />
      ) : error === null ? (
        <Skeleton h={twoLinesHeight} />
      ) : (
        <Text size="sm">{problemText(error)}</Text>
      )}
    </Card>
  )
}

const twoLinesHeight =
  'calc(var(--mantine-font-size-md) * var(--mantine-line-height-md) + var(--mantine-font-size-sm) * var(--mantine-line-height-sm))'

function Facts({ invoice }: { invoice: FoundInvoice }) {
  const { amount, currency, status, createdAt } = invoice
  return (
    <>
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
      <Effect invoice={invoice} />
    </>
  )
}

/** Says what the invoice did to MRR, and leads to the events that say why. */
function Effect({ invoice: { invoiceId, currency, eventCount, mrrChange } }: { invoice: FoundInvoice }) {
  if (eventCount === 0) return <Text size="sm">It changed no MRR, so it has no event.</Text>
  return (
    <Text size="sm" component="div">
      It changed MRR by <MoneyChange amountCents={mrrChange} currency={currency} />:{' '}
      <Anchor
        component={Link}
        to={`${paths.events}?search=${encodeURIComponent(invoiceId)}`}
        size="sm"
        underline="always"
      >
        {counted(eventCount, 'event')}
      </Anchor>
    </Text>
  )
}
