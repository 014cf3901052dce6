import { useEffect, useState } from 'react'
import { useClock } from '../clock.ts'

const stepMs = 30_000

/** Returns the time, and a newer one every half minute, for texts that say how long ago something was. */
export function useNow(): Date {
  const clock = useClock()
  const [now, setNow] = useState(clock)
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), stepMs)
    return () => clearInterval(timer)
  }, [clock])
  return now
}
