import { Anchor } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type FoldProps = { openLabel: string; closeLabel: string; isOpenAtFirst?: boolean; children: ReactNode }

/** A link that shows and hides what most people do not need. It is folded at first, unless it is short. */
export function Fold({ openLabel, closeLabel, isOpenAtFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
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
