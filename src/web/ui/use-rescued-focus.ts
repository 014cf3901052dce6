import { type RefObject, useEffect } from 'react'

/**
 * Keeps the keyboard's place in a part of a screen. When what has the focus is taken away, `findRefuge` gets it; when
 * it turns off for a while, it gets the focus back.
 */
export function useRescuedFocus(
  within: RefObject<HTMLElement | null>,
  findRefuge: () => HTMLElement | null | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the refuge is looked for in the page when it is needed.
  useEffect(() => {
    const part = within.current
    if (part === null) return
    let last: HTMLElement | null = null
    let wasOff = false
    const note = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement ? target : null
      wasOff = false
    }
    /** Whoever leaves on purpose, as by a click on the page, is not brought back. What is taken away leaves as well. */
    const leave = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (last === target && last?.isConnected && !last.matches(':disabled, :focus')) last = null
      })
    const rescue = () => {
      if (last?.matches(':disabled') && last.isConnected) wasOff = true
      else if (last !== null && document.activeElement === document.body) {
        if (!last.isConnected) findRefuge()?.focus()
        else if (wasOff) last.focus()
      }
    }
    const observer = new MutationObserver(rescue)
    observer.observe(part, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    part.addEventListener('focusin', note)
    part.addEventListener('focusout', leave)
    return () => {
      observer.disconnect()
      part.removeEventListener('focusin', note)
      part.removeEventListener('focusout', leave)
    }
  }, [within])
}
