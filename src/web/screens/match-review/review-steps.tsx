import { Group, Text } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import type { ReviewPlace } from './use-review-place.ts'

type ReviewStepsProps = { place: ReviewPlace; totalCount: number; decidedCount: number }

/** Leads to the customers before and after the shown one. It gets the focus, so that the keys work at once. */
export function ReviewSteps({ place, totalCount, decidedCount }: ReviewStepsProps) {
  const text = useRef<HTMLParagraphElement>(null)
  // Before the browser paints, so that no key falls between two customers.
  useLayoutEffect(() => text.current?.focus(), [])
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="sm">
        <Text ref={text} size="sm" c="dimmed" tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          {place.position === null
            ? 'No longer in this list'
            : `Customer ${place.position.toLocaleString('en-US')} of ${totalCount.toLocaleString('en-US')}`}
        </Text>
        {decidedCount === 0 ? null : <Text size="sm">{decidedCount} decided</Text>}
      </Group>
      <Group gap="xs">
        <StartButton
          size="compact-sm"
          variant="default"
          isOff={place.previous === undefined}
          onClick={place.previous}
        >
          Previous
        </StartButton>
        <StartButton
          size="compact-sm"
          variant="default"
          isOff={place.next === undefined}
          onClick={place.next}
        >
          Next
        </StartButton>
      </Group>
    </Group>
  )
}
