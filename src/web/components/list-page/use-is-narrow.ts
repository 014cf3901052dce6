import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen, in px, is too narrow for a table with amounts, so that lists show cards. */
export function useIsNarrow(belowPx = 640): boolean {
  // Known before the first paint, so that no table jumps into cards.
  return useMediaQuery(`(max-width: ${belowPx - 1}px)`, false, { getInitialValueInEffect: false }) ?? false
}
