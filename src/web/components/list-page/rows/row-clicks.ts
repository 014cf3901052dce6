import type { MouseEvent, PointerEvent, RefObject } from 'react'

const [left, middle, right] = [0, 1, 2]
const isTextSelected = () => window.getSelection()?.isCollapsed === false

/** A click on a link or button inside a row, or one that ends a text selection, is not a click on the row. */
function isForRow({ target, button }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input') !== null
  return !isOnControl && !(button === left && isTextSelected())
}

/** Lets a click on a row or card do what `open` does; nothing where it does not open. */
export function rowClicks(open: (() => void) | undefined) {
  if (open === undefined) return {}
  return {
    onClick: (event: MouseEvent) => {
      if (isForRow(event)) open()
    },
  }
}

/**
 * For a row that is one link. It takes no mouse, so that text can be selected; the row hands clicks on. For the right
 * button's menu and for fingers, it lies over the row.
 */
export function linkClicks(link: RefObject<HTMLAnchorElement | null>) {
  const follow = (event: MouseEvent) => {
    if (link.current === null || event.button === right || !isForRow(event)) return
    const isAside = event.button === middle || event.ctrlKey || event.metaKey || event.shiftKey
    // The browser opens it where these keys ask for.
    if (isAside) window.open(link.current.href, '_blank', 'noopener')
    else link.current.click()
  }
  return {
    onClick: follow,
    onAuxClick: follow,
    // Otherwise some browsers scroll with the middle button.
    onMouseDown: (event: MouseEvent) => {
      if (event.button === middle && isForRow(event)) event.preventDefault()
    },
    onPointerDown: (event: PointerEvent) => {
      const isLink = event.button === right || event.pointerType === 'touch'
      event.currentTarget.toggleAttribute('data-link', isLink && !isTextSelected())
    },
    onContextMenu: ({ currentTarget }: MouseEvent) => {
      setTimeout(() => currentTarget.removeAttribute('data-link'))
    },
  }
}
