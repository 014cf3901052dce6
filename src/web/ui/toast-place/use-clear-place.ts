import { type RefObject, useLayoutEffect } from 'react'
import { liftAbove } from './lift-above.ts'

/** What carries this attribute is never covered by a toast: the ways on at the foot of a screen. */
const marked = '[data-clear-of-toast]'
/** A larger focused part is not what a person is about to press. */
const controlHeightMax = 120

/**
 * Keeps a toast, while there is one, clear of the ways on and of what has the focus. The place rises by `--lift`. It looks
 * at every frame, since anything may move them: rows that arrive, scrolling, a new size.
 */
export function useClearPlace(place: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const box = place.current
    if (!isShown || box === null) return
    let [lift, frame] = [0, 0]
    const follow = () => {
      const { left, right, top, bottom } = box.getBoundingClientRect()
      const atBottom = { left, right, top: top + lift, bottom: bottom + lift }
      const now = liftAbove(atBottom, boxesBeside(box), window.innerHeight)
      if (now !== lift) box.style.setProperty('--lift', `${now}px`)
      lift = now
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => {
      cancelAnimationFrame(frame)
      box.style.removeProperty('--lift')
    }
  }, [place, isShown])
}

function boxesBeside(toast: HTMLElement): DOMRect[] {
  const ways = [...document.querySelectorAll(marked)].map((one) => one.getBoundingClientRect())
  const focused = document.activeElement
  if (focused === null || focused === document.body || toast.contains(focused)) return ways
  const box = focused.getBoundingClientRect()
  return box.height > controlHeightMax ? ways : [...ways, box]
}
