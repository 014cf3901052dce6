import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type SumLineProps = { isPending: boolean; error: Error | null; children: ReactNode }

/** Says what the rows of all pages come to. It keeps its place while the figures are on their way. */
export function SumLine({ isPending, error, children }: SumLineProps) {
  return (
    <Text size="sm" component="div" mih={22} role="status" aria-label="Sum of the list">
      {isPending ? (
        <Skeleton h={12} w={260} mt={5} />
      ) : error === null ? (
        children
      ) : (
        'The sum could not be read. The list itself is not affected.'
      )}
    </Text>
  )
}
