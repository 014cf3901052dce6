import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Keeps the keyboard's place in a part of a screen. What has the focus and is taken away leaves it to what `findRefuge`
 * names, then or later; what turns off for a while gets it back.
 */
export function useRescuedFocus(
  within: RefObject<HTMLElement | null>,
  findRefuge: () => HTMLElement | null | undefined,
): void {
  const refuge = useEffectEvent(findRefuge)
  useEffect(() => {
    const part = within.current
    if (part === null) return
    let last: HTMLElement | null = null
    let wasOff = false
    let rescued: HTMLElement | null = null
    const note = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement ? target : null
      wasOff = false
    }
    // A person who leaves on purpose is not brought back; a dialog is no leaving. A removed element also loses the
    // focus, so we look a moment later.
    const leave = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (document.activeElement?.closest('[role=dialog]')) return
        if (last === target && last?.isConnected && !last.matches(':disabled, :focus')) last = null
      })
    const focusRefuge = () => {
      rescued = refuge() ?? null
      rescued?.focus()
    }
    const rescue = () => {
      if (rescued?.matches(':focus:not(:disabled)')) {
        // The way on may have been off until now.
        if (refuge() !== rescued) focusRefuge()
        return
      }
      rescued = null
      if (last?.matches(':disabled') && last.isConnected) wasOff = true
      else if (last !== null && document.activeElement === document.body) {
        if (!last.isConnected) focusRefuge()
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
