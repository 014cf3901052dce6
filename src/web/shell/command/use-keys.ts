import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { places } from './places.ts'

type Keys = { onMenu: () => void; onHelp: () => void }

/** After G, the key of a screen counts for this long. */
const sequenceMs = 1_500

/**
 * Command or Control with K opens the menu anywhere. Single keys count outside of fields and dialogs, where people
 * type: '/' goes to a list's search, '?' shows the keys, G and a letter open a screen.
 */
export function useKeys({ onMenu, onHelp }: Keys): void {
  const navigate = useNavigate()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || 'sessionEnded' in document.documentElement.dataset) return
    const key = event.key.toLowerCase()
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && key === 'k') {
      event.preventDefault()
      onMenu()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return
    const isAfterG = event.timeStamp - wentAt.current < sequenceMs
    wentAt.current = key === 'g' && !isAfterG ? event.timeStamp : Number.NEGATIVE_INFINITY
    const place = isAfterG ? places.find((one) => one.key === key) : undefined
    if (place !== undefined) void navigate(place.path)
    else if (key === '?') onHelp()
    else if (key === '/') focusSearch(onMenu)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** Whether the key belongs to a field or to a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]') !== null) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"]') !== null
}

/** Goes to the search of the list, or opens the menu on a screen without one. */
function focusSearch(onMenu: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (field === null) onMenu()
  else field.select()
}
