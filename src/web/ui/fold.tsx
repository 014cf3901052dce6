import { Anchor } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type FoldProps = { openLabel: string; closeLabel: string; children: ReactNode }

/** A link that shows and hides what most people do not need. It is folded until a person opens it. */
export function Fold({ openLabel, closeLabel, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? closeLabel : openLabel}
      </Anchor>
      {isOpen ? children : null}
    </>
  )
}
