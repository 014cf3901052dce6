import { ExternalLink } from '../../ui/external-link.tsx'
import type { CardFact } from '../../ui/fact-card.tsx'
import { Email } from './email.tsx'

type EmailFactsProps = { customerEmail: string | null; customerDomain: string | null }

/** The email of a customer, and its domain where it has one. */
export function emailFacts({ customerEmail, customerDomain }: EmailFactsProps): CardFact[] {
  const email: CardFact = [
    'Email',
    customerEmail ? <Email key="email" address={customerEmail} /> : 'No email',
  ]
  if (customerDomain === null) return [email]
  const domain = (
    <ExternalLink key="domain" href={`https://${customerDomain}`}>
      <Email address={customerDomain} />
    </ExternalLink>
  )
  return [email, ['Domain', domain]]
}
