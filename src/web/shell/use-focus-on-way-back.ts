import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { placeOf } from '../components/list-page/list-address.ts'

/** Links to the same address are told apart by their order. */
type LeftBy = { href: string; at: number }

const loadingMs = 10_000

/**
 * Moves the focus to the link by which a page was left, once the page is there again: by the browser's Back, or by a link
 * back. A person who has gone on meanwhile keeps the focus.
 */
export function useFocusOnWayBack(content: RefObject<HTMLElement | null>): void {
  const place = placeOf(useLocation())
  const left = useRef(new Map<string, LeftBy>())
  useEffect(() => {
    const target = content.current
    if (target === null) return
    const note = (event: MouseEvent) => {
      const link = linkOf(event)
      if (link !== null) left.current.set(place, leftBy(link, target))
    }
    target.addEventListener('click', note)
    return () => target.removeEventListener('click', note)
  }, [place, content])
  useEffect(() => {
    const target = content.current
    const sought = left.current.get(place)
    if (target === null || sought === undefined) return
    left.current.delete(place)
    const stop = new AbortController()
    const observer = new MutationObserver(() => take())
    const take = () => {
      const link = linksTo(sought.href, target)[sought.at]
      if (link === undefined) return
      stop.abort()
      const at = document.activeElement
      if (at === target || at === document.body) link.focus()
    }
    stop.signal.addEventListener('abort', () => observer.disconnect())
    const waited = setTimeout(() => stop.abort(), loadingMs)
    observer.observe(target, { childList: true, subtree: true })
    for (const act of ['keydown', 'pointerdown', 'wheel'])
      document.addEventListener(act, () => stop.abort(), { signal: stop.signal, capture: true })
    take()
    return () => {
      clearTimeout(waited)
      stop.abort()
    }
  }, [place, content])
}

/** The link that a click follows in this window. */
function linkOf({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): HTMLAnchorElement | null {
  if (ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return null
  const link = target.closest<HTMLAnchorElement>('a[href]')
  return link === null || link.target === '_blank' ? null : link
}

function leftBy(link: HTMLAnchorElement, content: HTMLElement): LeftBy {
  const href = link.getAttribute('href') ?? ''
  // A copy of a link that takes no focus follows the one that does.
  const at = linksTo(href, content).findLastIndex(
    (other) => other === link || link.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING,
  )
  return { href, at }
}

function linksTo(href: string, content: HTMLElement): HTMLAnchorElement[] {
  return [...content.querySelectorAll<HTMLAnchorElement>('a[href]:not([tabindex="-1"])')].filter(
    (link) => link.getAttribute('href') === href,
  )
}
