import { Text } from '@mantine/core'
import { getFreshness } from '#contract/imports.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { formatDelay } from '../../ui/delay.ts'
import { Ago } from '../../ui/time/instant.tsx'

/** Says up to when the figures are complete, and how long changes in Stripe took to reach them. */
export function FreshnessText() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (data === undefined || data.freshAsOf === null) return null
  return (
    <Text size="sm" c="dimmed">
      Fresh as of <Ago at={data.freshAsOf} />.{data.changes === null ? null : ` ${usualText(data.changes)}`}
    </Text>
  )
}

function usualText({ medianSeconds, p95Seconds }: { medianSeconds: number; p95Seconds: number }): string {
  const [usual, most] = [formatDelay(medianSeconds), formatDelay(p95Seconds)]
  return `Stripe changes usually arrive within ${usual}${most === usual ? '' : ` (95% within ${most})`}.`
}
