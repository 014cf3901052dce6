import { Text } from '@mantine/core'
import { getFreshness } from '#contract/imports.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { usualDelay } from '../../ui/delay.ts'
import { Ago } from '../../ui/time/instant.tsx'

/** Says up to when the figures are complete, and how long changes in Stripe took to reach them. */
export function FreshnessText() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (data === undefined || data.freshAsOf === null) return null
  return (
    <Text size="sm" c="dimmed">
      Fresh as of <Ago at={data.freshAsOf} />.
      {data.changes === null ? null : ` Stripe changes usually arrive ${usualDelay(data.changes)}.`}
    </Text>
  )
}
