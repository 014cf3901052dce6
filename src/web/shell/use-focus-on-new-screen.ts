import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { listOf, titleOf } from '../paths.ts'
import { menuName } from './command/places.ts'

const closingMs = 1_000
const menu = `[role="dialog"][aria-label="${menuName}"]`

/**
 * Moves the focus to the content after each change of the screen, so that a screen reader names it and Tab goes on from
 * there. What takes it within the new screen, or in a dialog, keeps it.
 */
export function useFocusOnNewScreen(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  // Steps of the wizard and details of a run belong to one screen; each record is one of its own.
  const screen = listOf(pathname) === undefined ? titleOf(pathname) : pathname
  const isFirst = useNavigationType() === NavigationType.Pop
  const shown = useRef(isFirst ? screen : null)
  useEffect(() => {
    const target = content.current
    if (target === null || shown.current === screen) return
    shown.current = screen
    const take = () => {
      const at = document.activeElement
      const isOwn = at !== target && target.contains(at)
      const isDialog = at !== null && at.closest('[role="dialog"]') !== null && at.closest(menu) === null
      if (isOwn || isDialog) return false
      target.focus({ preventScroll: true })
      return true
    }
    const isFromOverlay = document.activeElement?.closest('[role="dialog"], [role="menu"]') != null
    take()
    if (!isFromOverlay) return
    // What is closing gives the focus back to its opener, once and soon; a person who acts meanwhile has gone on.
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(closingMs)])
    document.addEventListener('focusin', () => take() && stop.abort(), { signal })
    for (const act of ['keydown', 'pointerdown'])
      document.addEventListener(act, () => stop.abort(), { signal, capture: true })
    return () => stop.abort()
  }, [screen, content])
}
