import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the keyboard's place when a control is taken away that has the focus, or whose dialog has it: the part of the
 * screen around it takes the focus.
 */
export function useRefuge(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = control
    return () => {
      const { activeElement } = document
      if (current === null || activeElement === null) return
      if (current !== activeElement && activeElement.closest('[role="dialog"]') === null) return
      const around = ancestors(current).filter((one) => one.matches(places))
      setTimeout(() => focusFirst(around))
    }
  }, [control])
}

/** Gives the focus back to what had it before a dialog was opened, or to the part of the screen around that. */
export function useFocusGivenBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    const { activeElement: opener } = document
    if (!isOpen || !(opener instanceof HTMLElement) || opener === document.body) return
    const wanted = [opener, ...ancestors(opener).filter((one) => one.matches(places))]
    return () => void setTimeout(() => focusFirst(wanted))
  }, [isOpen])
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
  if (refuge.tabIndex < 0) refuge.tabIndex = -1
  refuge.focus({ preventScroll: true })
}
