import { Text } from '@mantine/core'
import { getFreshness } from '#contract/imports.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { usualDelay } from '../../ui/delay.ts'
import { Ago } from '../../ui/time/instant.tsx'

/**
 * Says up to when the figures are complete, and how long changes in Stripe took to reach them. `isStopped` where no more
 * can arrive.
 */
export function FreshnessText({ isStopped }: { isStopped: boolean }) {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (data === undefined || data.freshAsOf === null) return null
  if (isStopped)
    return (
      <Text size="sm" c="dimmed">
        Last read from Stripe <Ago at={data.freshAsOf} />. Nothing new arrives until the key works again.
      </Text>
    )
  return (
    <Text size="sm" c="dimmed">
      Fresh as of <Ago at={data.freshAsOf} />.
      {data.changes === null ? null : ` Stripe changes usually arrive ${usualDelay(data.changes)}.`}
    </Text>
  )
}
