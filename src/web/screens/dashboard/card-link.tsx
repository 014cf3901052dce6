import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Makes the name of a card the link of the whole card; a link without text has a label. */
export const leadTo = (to: string) => (name: ReactNode, className: string, label?: string) => (
  <Anchor
    component={Link}
    to={to}
    inherit
    c="inherit"
    underline="always"
    className={className}
    aria-label={label}
  >
    {name}
  </Anchor>
)
