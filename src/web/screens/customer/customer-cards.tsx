import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CompanyName } from '../../components/company-name.tsx'
import { emailFacts } from '../../components/customers/email-facts.tsx'
import { freshnessFacts } from '../../components/customers/freshness-facts.tsx'
import {
  companyFactsText,
  domainsText,
  reasonsText,
  whyText,
} from '../../components/customers/match-words.ts'
import { ChooseCompany, unmatchedText } from '../../components/customers/unmatched.tsx'
import { ObstacleLink } from '../../components/runs/sync-obstacles.tsx'
import { paths } from '../../paths.ts'
import { useIsManager, useObstacles, useSyncCondition } from '../../queries/session.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import type { CustomerDetails } from './customer-details.ts'

type CardProps = { customer: CustomerDetails }

/** Says to which company and contact of HubSpot the customer belongs, and why. */
export function CompanyCard({ customer }: CardProps) {
  const { match, companyName, hubspotCompanyLink } = customer
  const condition = useSyncCondition()
  const obstacles = useObstacles()
  if (match === null) {
    return (
      <FactCard title="In HubSpot" facts={[]}>
        <Text size="sm">
          This customer has not been looked up in HubSpot yet. The next sync does it{condition}.
          <ObstacleLink obstacles={obstacles} />
        </Text>
      </FactCard>
    )
  }
  const isLinked = match.state === 'linked'
  const facts: CardFact[] = [
    [
      'Company',
      isLinked ? (
        <CompanyName key="company" name={companyName} link={hubspotCompanyLink} />
      ) : (
        unmatchedText(match.state)
      ),
    ],
    ['Why', whyText(match)],
    ...(isLinked || match.candidates.length === 0
      ? []
      : [['Candidates', <Candidates key="candidates" {...match} />] satisfies CardFact]),
    ['Contact', contactOf(match)],
  ]
  return (
    <FactCard title="In HubSpot" facts={facts}>
      {match.isToFollow ? (
        <Text size="sm">
          Its records in HubSpot follow with the next sync{condition}.
          <ObstacleLink obstacles={obstacles} />
        </Text>
      ) : null}
      {isLinked ? null : <ChooseCompany customerId={customer.customerId} state={match.state} />}
    </FactCard>
  )
}

function Candidates({ candidates }: Pick<NonNullable<CustomerDetails['match']>, 'candidates'>) {
  return candidates.map(({ companyName, domains, facts, hubspotCompanyLink, reasons }) => {
    const known = companyFactsText(facts)
    return (
      <div key={hubspotCompanyLink ?? companyName}>
        <CompanyName name={companyName} link={hubspotCompanyLink} />
        {domains.length === 0 ? null : ` (${domainsText(domains)})`}
        {reasons.length === 0 ? null : `: ${reasonsText({ reasons })}`}
        {known === '' ? null : (
          <Text size="xs" c="dimmed">
            {known}
          </Text>
        )}
      </div>
    )
  })
}

function contactOf(match: NonNullable<CustomerDetails['match']>): ReactNode {
  if (match.hubspotContactLink !== null)
    return <ExternalLink href={match.hubspotContactLink}>Open the contact</ExternalLink>
  return match.contactProblem ?? (match.hasContact ? 'Found' : 'None yet')
}

/** Says who the customer is in Stripe, and how fresh its records are. */
export function PersonCard({ customer }: CardProps) {
  const { freshness, erasureId } = customer
  const isManager = useIsManager()
  return (
    <FactCard
      title="In Stripe"
      facts={[...emailFacts(customer), ...(freshness === null ? [] : freshnessFacts(freshness))]}
    >
      {isManager && erasureId !== null ? (
        <Anchor component={Link} size="sm" to={`${paths.accountProfile}?tab=privacy`}>
          See the certificate of the erasure
        </Anchor>
      ) : null}
    </FactCard>
  )
}
