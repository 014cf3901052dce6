import { Badge, Group, SimpleGrid, Stack, Title } from '@mantine/core'
import { useParams, useSearchParams } from 'react-router'
import { getCustomer } from '#contract/customers/customers.ts'
import { getCustomerHistory } from '#contract/customers/mrr-history.ts'
import { ApiError, useEndpoint } from '../../client.ts'
import { MrrSteps } from '../../components/charts/mrr-steps.tsx'
import { CustomerMenu } from '../../components/customers/customer-menu.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { InvoiceCard } from '../../components/customers/invoice-card.tsx'
import { useNamedPage } from '../../components/frame/page-name.tsx'
import { BackButton } from '../../components/list-page/back-button.tsx'
import { paths } from '../../paths.ts'
import { useErasing } from '../../queries/customers/erase-person.ts'
import { useFoundInvoice } from '../../queries/found-records.ts'
import { freshMs } from '../../queries/freshness.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { MessagePage } from '../../ui/message-page.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'
import { CompanyCard, PersonCard } from './customer-cards.tsx'
import type { CustomerDetails } from './customer-details.ts'
import { CustomerFigures } from './customer-figures.tsx'
import { CustomerEvents, CustomerSubscriptions, SameCompany, UsedInvoices } from './customer-tables.tsx'

/** Shows one customer over all its subscriptions, with its company. */
export function CustomerScreen() {
  const { id = '' } = useParams()
  const customer = useEndpoint(getCustomer, { params: { customerId: id } }, { staleTime: freshMs.records })
  if (customer.data !== undefined) return <Details key={id} customer={customer.data} />
  if (customer.isPending) return <PageSpinner />
  const { error } = customer
  // The server refuses an impossible id as a malformed request. For the reader it is missing, like an unknown id.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <MessagePage title="Customer Not Found" text="The requested customer could not be found.">
        <BackButton path={paths.customers} />
      </MessagePage>
    )
  }
  return (
    <MessagePage title="The customer could not be loaded" text={problemText(error)}>
      <Group>
        <BackButton path={paths.customers} />
        <TryAgain size="sm" variant="filled" onRetry={() => void customer.refetch()} />
      </Group>
    </MessagePage>
  )
}

function Details({ customer }: { customer: CustomerDetails }) {
  const { customerId, stripeLink, isDeleted, erasureId } = customer
  const title = customerTitle(customer)
  const erasing = useErasing(customer)
  const [params] = useSearchParams()
  const found = useFoundInvoice(params.get('invoice'))
  useNamedPage(title)
  return (
    <Stack>
      <Group justify="space-between">
        <BackButton path={paths.customers} />
        <CustomerMenu {...{ customerId, erasing }} matchState={customer.match?.state ?? null} />
      </Group>
      <Group gap="sm">
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {isDeleted ? <Badge color="gray">Deleted in Stripe</Badge> : null}
        {erasureId === null ? null : <Badge color="gray">Erased</Badge>}
        {stripeLink === null ? (
          <span>{customerId}</span>
        ) : (
          <ExternalLink href={stripeLink}>{customerId}</ExternalLink>
        )}
      </Group>
      {found === null ? null : <InvoiceCard key={found.invoiceId} {...found} />}
      <CustomerFigures customer={customer} />
      <Steps customerId={customerId} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CompanyCard customer={customer} />
        <PersonCard customer={customer} />
      </SimpleGrid>
      <CustomerSubscriptions customer={customer} />
      <CustomerEvents customer={customer} />
      <UsedInvoices customer={customer} />
      <SameCompany customer={customer} />
    </Stack>
  )
}

function Steps({ customerId }: { customerId: string }) {
  const history = useEndpoint(getCustomerHistory, { params: { customerId } }, { staleTime: freshMs.records })
  return (
    <MrrSteps series={history.data?.series} error={history.error} onRetry={() => void history.refetch()} />
  )
}
