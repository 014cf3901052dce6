import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Links to another site in a new tab. An address that is not http(s) shows as plain text. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <>{children}</>
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm">
      {children} <IconExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  )
}
