import { Card, Center, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Suspense } from 'react'
import type { MrrSeries } from '#contract/customers/mrr-history.ts'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { lazyChart } from './lazy-chart.tsx'

const StepChart = lazyChart(async () => (await import('./step-chart.tsx')).StepChart)

const heightPx = 220

type MrrStepsProps = { series: MrrSeries[] | undefined; error: Error | null; onRetry: () => void }

/** Shows MRR as steps, one chart for each currency. Its place is kept while it loads. */
export function MrrSteps(props: MrrStepsProps) {
  return (
    <Card withBorder component="section" aria-label="MRR over Time">
      <Title order={3} size="h5" mb="sm">
        MRR over Time
      </Title>
      <Charts {...props} />
    </Card>
  )
}

function Charts({ series, error, onRetry }: MrrStepsProps) {
  if (series === undefined && error !== null) {
    return <ReadFailure title="The chart could not be loaded" error={error} onRetry={onRetry} />
  }
  if (series === undefined) return <Skeleton h={heightPx} />
  if (series.length === 0) {
    return (
      <Center h={heightPx}>
        <Text c="dimmed">No MRR yet. It begins with the first payment.</Text>
      </Center>
    )
  }
  return (
    <Stack>
      {series.map((one) => (
        <div key={one.currency}>
          {series.length > 1 ? (
            <Text size="sm" fw={500} mb={4}>
              {one.currency.toUpperCase()}
            </Text>
          ) : null}
          <Suspense fallback={<Skeleton h={heightPx} />}>
            <StepChart series={one} heightPx={heightPx} />
          </Suspense>
        </div>
      ))}
    </Stack>
  )
}
