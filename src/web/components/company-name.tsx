import { ExternalLink } from '../ui/external-link.tsx'

type CompanyNameProps = { name: string | null; link: string | null; fallback?: string }

/** A company, linked to its record in the CRM once it has one. */
export function CompanyName({ name, link, fallback = 'Unknown Company' }: CompanyNameProps) {
  const text = name || fallback
  if (link !== null) return <ExternalLink href={link}>{text}</ExternalLink>
  return <span {...(name ? {} : { style: { color: 'var(--mantine-color-dimmed)' } })}>{text}</span>
}
