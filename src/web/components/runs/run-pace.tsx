import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClock } from '../../ui/clock.ts'
import { type PaceSample, paceOf, paceText, windowMs } from './pace.ts'

const sampleMs = 2_000

type RunPaceProps = {
  /** The noun for the work, within the sentence of the pace. */
  work: 'import' | 'sync'
  processed: number
  /** 0 until the total is known. */
  total: number
  isEstimate?: boolean
  /** Whether it already stands beside what is done after the last record. */
  isEndTold?: boolean
}

/** Shows the speed and the remaining time of a run, and says that nobody has to wait here. */
export function RunPace({ work, processed, total, isEstimate = false, isEndTold = false }: RunPaceProps) {
  const samples = useSamples(processed)
  // What is left to do then counts no records.
  const isCounted = total > 0 && processed >= total
  // Of the count beside it: the last sample may be older.
  const left = total > 0 ? total - processed : null
  const ending = work === 'import' && !isEndTold ? 'Calculating MRR… ' : ''
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {processed.toLocaleString('en-US')}
      {total > 0 ? ` of ${isEstimate ? 'about ' : ''}${total.toLocaleString('en-US')}` : ''}{' '}
      {work === 'sync' ? 'records sent.' : 'records.'}{' '}
      {isCounted ? ending : `${paceText(paceOf(samples, left))} `}
      You can leave this page: the {work} goes on.
    </Text>
  )
}

/** Takes samples of the last minute at even intervals, so that a standstill shows. */
function useSamples(processed: number): PaceSample[] {
  const now = useClock()
  const [samples, setSamples] = useState<PaceSample[]>([])
  const sample = useEffectEvent(() => {
    const atMs = now().getTime()
    setSamples((seen) => {
      const last = seen.at(-1)
      // A smaller count begins the samples again, because another part of the work has begun.
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
