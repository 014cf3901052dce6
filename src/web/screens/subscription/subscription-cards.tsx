import { Alert } from '@mantine/core'
import type { RecordFreshness, Subscription } from '#contract/subscriptions.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMenu } from '../../components/customers/customer-menu.tsx'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { emailFacts } from '../../components/customers/email-facts.tsx'
import { freshnessFacts } from '../../components/customers/freshness-facts.tsx'
import { nextRenewal } from '../../components/customers/renewal.ts'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import { useErasing } from '../../queries/customers/erase-person.ts'
import { formatDay } from '../../ui/dates.ts'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import { CompanyWanted } from './company-wanted.tsx'
import { ErasedNote } from './erased-note.tsx'

type CardProps = { subscription: Subscription }
type CustomerCardProps = CardProps & { isConnected: boolean }

/** Says whose the subscription is, and that a company is wanted where HubSpot is connected and has none. */
export function CustomerCard({ subscription, isConnected }: CustomerCardProps) {
  const { companyName, hubspotCompanyId, hubspotCompanyLink } = subscription
  const { customerId } = subscription
  const erasing = useErasing(subscription)
  const isUnmatched = isConnected && hubspotCompanyId === null && customerId !== ''
  return (
    <FactCard
      title="Customer Details"
      menu={
        <CustomerMenu {...{ customerId, erasing }} matchState={hubspotCompanyId === null ? null : 'linked'} />
      }
      facts={[
        ['Company', <CompanyName key="company" name={companyName} link={hubspotCompanyLink} />],
        ...(isUnmatched
          ? ([['In HubSpot', <CompanyWanted key="wanted" customerId={customerId} />]] satisfies CardFact[])
          : []),
        ['Customer', <CustomerName key="customer" {...subscription} fallback="Unknown Customer" />],
        ...emailFacts(subscription),
      ]}
    >
      <ErasedNote {...subscription} />
    </FactCard>
  )
}

type SubscriptionCardProps = CardProps & {
  freshness: RecordFreshness | null
  /** Whether HubSpot refused its record. */
  isRefused: boolean
}

export function SubscriptionCard({ subscription, freshness, isRefused }: SubscriptionCardProps) {
  const { unsupportedReason } = subscription
  return (
    <FactCard
      title="Subscription Details"
      facts={[
        ['Current MRR', <SubscriptionMrr key="mrr" subscription={subscription} />],
        ['Next Renewal', nextRenewal(subscription)],
        ['Quantity', (subscription.quantity ?? 1).toLocaleString('en-US')],
        ['Product', subscription.productName || 'Unknown Product'],
        ['Billing Interval', subscription.billingInterval ?? 'N/A'],
        ['Period Start', formatDay(subscription.currentPeriodStart)],
        ['Period End', formatDay(subscription.currentPeriodEnd)],
        ...(freshness === null ? [] : freshnessFacts(freshness, isRefused)),
      ]}
    >
      {unsupportedReason === null ? null : (
        <Alert role="note" color="yellow" title="Not part of the totals">
          {unsupportedReason}
        </Alert>
      )}
    </FactCard>
  )
}
