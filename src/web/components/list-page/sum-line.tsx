import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type SumLineProps = {
  isPending: boolean
  error: Error | null
  /** How many lines it mostly takes on a phone; their place is kept until the figures are there. */
  phoneLines?: number
  children: ReactNode
}

const lineHeightPx = 22

/** Says what the rows of all pages come to. It keeps its place while the figures are on their way. */
export function SumLine({ isPending, error, phoneLines = 1, children }: SumLineProps) {
  const mih = { base: (isPending ? phoneLines : 1) * lineHeightPx, sm: lineHeightPx }
  return (
    <Text size="sm" component="div" mih={mih} role="status" aria-label="Sum of the list">
      {isPending ? (
        <Skeleton h={12} w={260} mt={5} />
      ) : error === null ? (
        children
      ) : (
        'The sum could not be read.'
      )}
    </Text>
  )
}
