import { createContext, useContext } from 'react'

/** The entry provides the clock, so that tests can set it. */
export const ClockContext = createContext<() => Date>(() => {
  throw new Error('no clock was given')
})

export function useClock(): () => Date {
  return useContext(ClockContext)
}
