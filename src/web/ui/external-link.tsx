import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type ExternalLinkProps = {
  href: string
  children: ReactNode
  /** The last word of a text that may take two lines: the icon stays beside it. */
  last?: string
}

/** Links to another site in a new tab. An address that is not http(s) shows as plain text. */
export function ExternalLink({ href, children, last }: ExternalLinkProps) {
  if (!/^https?:\/\//i.test(href)) return last === undefined ? children : `${children} ${last}`
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm">
      {children}{' '}
      <span style={last === undefined ? undefined : { whiteSpace: 'nowrap' }}>
        {last === undefined ? null : `${last} `}
        <IconExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
      </span>
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  )
}
