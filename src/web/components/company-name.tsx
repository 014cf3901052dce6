import { Anchor, Group } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { ExternalLink } from '../ui/external-link.tsx'
import { useListAddress } from './list-page/list-address.ts'

type CompanyNameProps = {
  name: string | null
  link: string | null
  fallback?: string
  /** The customer whose page the name leads to as well; null or left out for none. */
  customerId?: string | null
  /** What tells a nameless one from others on hover. */
  hint?: string | undefined
}

/** Shows a company, and links it to its record once the CRM has one. */
export function CompanyName({
  name,
  link,
  fallback = 'Unknown Company',
  customerId = null,
  hint,
}: CompanyNameProps) {
  const text = name || fallback
  const state = useListAddress()
  // Stripe may have a subscription without a customer.
  if (customerId) {
    const to = { to: paths.customer(customerId), state }
    if (link === null) {
      return (
        <Anchor component={Link} {...to} size="sm" title={hint}>
          {text}
        </Anchor>
      )
    }
    return (
      <Group gap={0} wrap="nowrap" component="span" display="inline-flex">
        <ExternalLink href={link}>{text}</ExternalLink>
        <Anchor
          component={Link}
          {...to}
          aria-label={`Customer ${text}`}
          title="Open the customer"
          lh={1}
          miw={24}
          ta="center"
        >
          <IconUser size={14} aria-hidden />
        </Anchor>
      </Group>
    )
  }
  if (link !== null) return <ExternalLink href={link}>{text}</ExternalLink>
  return <span {...(name ? {} : { style: { color: 'var(--mantine-color-dimmed)' } })}>{text}</span>
}

type NamelessProps = { companyName: string | null; customerId: string | null; customerEmail: string | null }

/** Many customers without a company are 'Unknown Company'. The words then lead to the customer, and the hint says who it is. */
export function customerInstead({ companyName, customerId, customerEmail }: NamelessProps) {
  if (companyName || !customerId) return {}
  return { customerId, hint: customerEmail ?? `Customer ${customerId}` }
}
