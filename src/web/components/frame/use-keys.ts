import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { useSingleKeys } from './preferences.ts'

/** Whether a key that was pressed there is meant as text. */
function isTyped(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isTextField = target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)
  return isTextField || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/**
 * Calls `onKey` with single keys that are pressed while the focus is inside the element; it returns whether the key
 * means something. Elsewhere, and when single keys are turned off, they keep their meaning.
 */
export function useKeys(within: RefObject<HTMLElement | null>, onKey: (key: string) => boolean): void {
  const [areSingleKeysOn] = useSingleKeys()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat
    if (event.defaultPrevented || !areSingleKeysOn || !isPlain || isTyped(event.target)) return
    if (onKey(event.key.toLowerCase())) event.preventDefault()
  })
  // Before the browser paints, so that a key counts as soon as what it acts on is seen.
  useLayoutEffect(() => {
    const element = within.current
    if (element === null) return
    const listen = (event: KeyboardEvent) => handle(event)
    element.addEventListener('keydown', listen)
    return () => element.removeEventListener('keydown', listen)
  }, [within])
}

const page = { current: document.body }

/** The same for keys that count anywhere on the page, while no dialog lies over it. */
export function usePageKeys(onKey: (key: string) => boolean): void {
  useKeys(page, (key) => document.querySelector('[role="dialog"]') === null && onKey(key))
}

/** Letters that follow each other faster are a name that somebody types. */
const typingMs = 250

/**
 * The same where a key decides something: `deciding` ones do nothing while somebody types. `lastLetterAt` is kept by
 * the caller, because what has the keys may be replaced by what a key leads to.
 */
export function useDecidingKeys(
  within: RefObject<HTMLElement | null>,
  { lastLetterAt, deciding }: { lastLetterAt: RefObject<number>; deciding: RegExp },
  onKey: (key: string) => boolean,
): void {
  useKeys(within, (key) => {
    const isTyping = performance.now() - lastLetterAt.current < typingMs
    if (/^\w$/.test(key)) lastLetterAt.current = performance.now()
    return (isTyping && deciding.test(key)) || onKey(key)
  })
}
