import type { ButtonProps } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { StartButton } from '../start-button.tsx'

type TryAgainProps = Pick<ButtonProps, 'size' | 'variant' | 'mt' | 'display'> & {
  onRetry: () => void
  isRetrying?: boolean
}

/**
 * Asks again. Mostly what is awaited then takes its place: the part of the screen around it gets its focus, so that the
 * keyboard does not lose its place.
 */
export function TryAgain({ onRetry, isRetrying = false, ...look }: TryAgainProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = button
    return () => {
      if (current === null || current !== document.activeElement) return
      const around = ancestors(current).filter((one) => one.matches(places))
      setTimeout(() => focusFirst(around))
    }
  }, [])
  return (
    <StartButton ref={button} size="xs" variant="default" {...look} isOff={isRetrying} onClick={onRetry}>
      Try again
    </StartButton>
  )
}

/** `data-refuge` is a part that is no region by itself, such as a table. */
const places = 'section, [data-refuge], [role="dialog"], main'

function ancestors({ parentElement }: Element): HTMLElement[] {
  return parentElement === null ? [] : [parentElement, ...ancestors(parentElement)]
}

/** Focuses the first of them that is still there, unless something else has the focus by now. */
function focusFirst(elements: HTMLElement[]): void {
  const refuge = elements.find((one) => one.isConnected)
  if (refuge === undefined || document.activeElement !== document.body) return
  if (!refuge.hasAttribute('tabindex')) refuge.tabIndex = -1
  refuge.focus({ preventScroll: true })
}
