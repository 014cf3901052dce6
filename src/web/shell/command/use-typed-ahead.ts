import { useEffect, useRef } from 'react'

/** The text, and the part of it that was pasted last; null if none was. */
type Typed = { text: string; pasted: string | null }

const nothing: Typed = { text: '', pasted: null }

type TypedAhead = {
  /** The menu was asked for: what is typed from now on is meant for it. */
  begin: () => void
  /** The field of the menu has the focus: what was typed until now. */
  take: () => Typed
}

export type CommandMenuProps = {
  /** Counts how often it was asked for; each time it opens. */
  asked: number
  onHelp: () => void
  /** Gives what was typed before the menu opened. */
  takeTyped: TypedAhead['take']
}

/** Keeps what a person types or pastes before the menu can take it. The page would decide something by it instead. */
export function useTypedAhead(): TypedAhead {
  const typed = useRef<Typed | null>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey
      if (typed.current === null || isShortcut) return
      keepFromOthers(event)
      const { text, pasted } = typed.current
      if (event.key === 'Escape') typed.current = null
      else if (event.key === 'Backspace') typed.current = { text: text.slice(0, -1), pasted }
      else if (event.key.length === 1) typed.current = { text: text + event.key, pasted }
    }
    const onPaste = (event: ClipboardEvent) => {
      if (typed.current === null) return
      keepFromOthers(event)
      // The field has one line.
      const pasted = (event.clipboardData?.getData('text') ?? '').replace(/\s+/g, ' ').trim()
      typed.current = { text: typed.current.text + pasted, pasted }
    }
    window.addEventListener('keydown', onKey, { capture: true })
    window.addEventListener('paste', onPaste, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      window.removeEventListener('paste', onPaste, { capture: true })
    }
  }, [])
  return {
    begin: () => {
      typed.current ??= nothing
    },
    take: () => {
      const taken = typed.current ?? nothing
      typed.current = null
      return taken
    },
  }
}

/** Nobody else hears it, not even listeners of the window. */
function keepFromOthers(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
