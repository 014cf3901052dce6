import type { ButtonProps } from '@mantine/core'
import { StartButton } from '../buttons/start-button.tsx'

type TryAgainProps = Pick<ButtonProps, 'size' | 'variant' | 'mt' | 'display'> & {
  onRetry: () => void
  isRetrying?: boolean
}

/** Asks again. Mostly what is awaited then takes its place. */
export function TryAgain({ onRetry, isRetrying = false, ...look }: TryAgainProps) {
  return (
    <StartButton size="xs" variant="default" {...look} isOff={isRetrying} onClick={onRetry}>
      Try again
    </StartButton>
  )
}
