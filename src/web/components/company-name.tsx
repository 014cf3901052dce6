import { ExternalLink } from '../ui/external-link.tsx'

type CompanyNameProps = { name: string | null; link: string | null; fallback?: string }

/** Shows a company, and links it to its record once the CRM has one. */
export function CompanyName({ name, link, fallback = 'Unknown Company' }: CompanyNameProps) {
  const text = name || fallback
  if (link !== null) return <ExternalLink href={link}>{text}</ExternalLink>
  return <span {...(name ? {} : { style: { color: 'var(--mantine-color-dimmed)' } })}>{text}</span>
}
