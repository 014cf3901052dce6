import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is too narrow for a table with amounts, so that lists show cards. */
export function useIsNarrow(): boolean {
  // Known before the first paint, so that no table jumps into cards.
  return useMediaQuery('(max-width: 639px)', false, { getInitialValueInEffect: false }) ?? false
}
