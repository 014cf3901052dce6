import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClock } from '../ui/clock.ts'
import { type PaceSample, paceOf, paceText, windowMs } from './pace.ts'

const sampleMs = 2_000

type RunPaceProps = {
  /** What goes on, in the sentence that says so. */
  work: 'import' | 'sync'
  processed: number
  /** 0 while it is not known. */
  total: number
}

/** How fast a run goes, how long it still takes, and that nobody has to wait for it here. */
export function RunPace({ work, processed, total }: RunPaceProps) {
  const samples = useSamples(processed)
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {processed.toLocaleString('en-US')}
      {total > 0 ? ` of ${total.toLocaleString('en-US')}` : ''} records, {paceText(paceOf(samples, total))}.{' '}
      You can leave this page: the {work} goes on, and you find it here when you come back.
    </Text>
  )
}

/** What was seen of the last minute, looked at evenly, so that a standstill shows. */
function useSamples(processed: number): PaceSample[] {
  const now = useClock()
  const [samples, setSamples] = useState<PaceSample[]>([])
  const sample = useEffectEvent(() => {
    const atMs = now().getTime()
    setSamples((seen) => {
      const last = seen.at(-1)
      // What has become less is counted anew, as where another part of the work begins.
      const kept = last !== undefined && processed < last.processed ? [] : seen
      return [...kept.filter((one) => atMs - one.atMs <= windowMs), { atMs, processed }]
    })
  })
  useEffect(() => {
    sample()
    const timer = setInterval(sample, sampleMs)
    return () => clearInterval(timer)
  }, [])
  return samples
}
