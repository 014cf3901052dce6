import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { menuName, places } from './places.ts'

type Keys = { onMenu: () => void; onHelp: () => void }

/** After G, the key of a screen counts for this long. */
const sequenceMs = 1_500
const dialog = '[role="dialog"]'
const menu = '[role="menu"]'

/**
 * Command or Control with K opens the menu anywhere. Single keys count outside of fields and dialogs, where people
 * type, unless turned off: '/' goes to a list's search, '?' shows the keys, G and a letter open a screen.
 */
export function useKeys({ onMenu, onHelp }: Keys): void {
  const navigate = useNavigate()
  const [areSingleKeysOn] = useSingleKeys()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)
  /** Comes before the keys of a list, where the same letter may decide something. */
  const onSecondKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.timeStamp - wentAt.current > sequenceMs || isElsewhere(event)) return
    wentAt.current = Number.NEGATIVE_INFINITY
    const place = places.find((one) => one.key === event.key.toLowerCase())
    if (place === undefined) return
    event.preventDefault()
    event.stopPropagation()
    void navigate(place.path)
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || 'sessionEnded' in document.documentElement.dataset) return
    const key = event.key.toLowerCase()
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && key === 'k') {
      event.preventDefault()
      // A dialog and the menu above it would close by one Escape, and what was typed would be lost.
      if (document.querySelector(`${dialog}[aria-modal]:not([aria-label="${menuName}"])`) !== null) return
      leavePanel()
      onMenu()
      return
    }
    if (!areSingleKeysOn || isElsewhere(event)) return
    if (key === 'g') wentAt.current = event.timeStamp
    else if (key === '?') onHelp()
    else if (key === '/') focusSearch(onMenu)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const second = (event: KeyboardEvent) => onSecondKey(event)
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', second, { capture: true })
    window.addEventListener('keydown', listen)
    return () => {
      window.removeEventListener('keydown', second, { capture: true })
      window.removeEventListener('keydown', listen)
    }
  }, [])
}

/** Whether the key belongs to the browser, a field or a dialog. */
function isElsewhere({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey || document.querySelector(dialog) !== null) return true
  return target instanceof HTMLElement && target.closest(`input, textarea, select, ${menu}`) !== null
}

/** Closes a panel or menu that lies over the page as a click beside it does, and gives the focus back to its button. */
function leavePanel(): void {
  const panel = document.activeElement?.closest(`${dialog}:not([aria-modal]), ${menu}`)
  if (panel == null) return
  document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(panel.id)}"]`)?.focus()
  panel.parentElement?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
}

/** Goes to the search of the list, or opens the menu on a screen without one. */
function focusSearch(onMenu: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (field === null) onMenu()
  field?.focus()
  field?.select()
}
