import { useEffect, useRef } from 'react'

type TypedAhead = {
  /** The menu was asked for: what is typed from now on is meant for it. */
  begin: () => void
  /** The field of the menu has the focus: what was typed until now. */
  take: () => string
}

export type CommandMenuProps = {
  /** Counts how often it was asked for; each time it opens. */
  asked: number
  onHelp: () => void
  /** Gives what was typed before the menu opened. */
  takeTyped: TypedAhead['take']
}

/** Keeps what a person types before the menu can take it. The page's single keys would decide something instead. */
export function useTypedAhead(): TypedAhead {
  const typed = useRef<string | null>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey
      if (typed.current === null || isShortcut) return
      // Nobody else hears the key, not even listeners of the window.
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape') typed.current = null
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
  return {
    begin: () => {
      typed.current ??= ''
    },
    take: () => {
      const text = typed.current ?? ''
      typed.current = null
      return text
    },
  }
}
