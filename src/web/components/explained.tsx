import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

/** A short text of a row whose rest shows on hover, focus and touch; a screen reader hears it with the text. */
export function Explained({ words, children }: { words: string; children: ReactNode }) {
  return (
    <Tooltip label={words} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      {/* 24 px high for a finger, in a line that stays as high as without it. */}
      <UnstyledButton
        fz="inherit"
        py={2}
        my={-2}
        style={{ cursor: 'help', textDecoration: 'underline dotted' }}
      >
        {children}
        <VisuallyHidden>, {words}</VisuallyHidden>
      </UnstyledButton>
    </Tooltip>
  )
}
