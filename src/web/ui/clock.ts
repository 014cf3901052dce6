import { createContext, useContext } from 'react'

/** The clock is given by the entry, so that tests can set it. */
export const ClockContext = createContext<() => Date>(() => {
  throw new Error('no clock was given')
})

export function useClock(): () => Date {
  return useContext(ClockContext)
}
