/** What a person does to move over a page, or to go on with it. */
const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

const longestMs = 5_000

/**
 * Scrolls to an element, and again when something takes it out of sight, such as what loads above it, or a late return of the
 * router. Ends with the person's first act, after five seconds, or by the returned function.
 */
export function keepInSight(element: Element, block: ScrollLogicalPosition): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const end = () => ending.abort()
  const lead = () => element.scrollIntoView({ block })
  const growth = new ResizeObserver(lead)
  const timer = setTimeout(end, longestMs)
  signal.addEventListener('abort', () => {
    growth.disconnect()
    clearTimeout(timer)
  })
  for (const act of acts) window.addEventListener(act, end, { signal, capture: true, passive: true })
  window.addEventListener('scroll', lead, { signal })
  growth.observe(document.body)
  lead()
  return end
}

/** A `ref` for what an address leads to: it is shown in the middle of the window. */
export const leadTo = (element: Element | null) => (element ? keepInSight(element, 'center') : undefined)
