import { useState } from 'react'

/** Keeps a question open until its action is done. What failed is told in the dialog, where it was started. */
export function useConfirmation() {
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => setOpen(false)
  return {
    ask: () => {
      setProblem(null)
      setOpen(true)
    },
    close,
    fail: setProblem,
    dialog: { isOpen, problem, onClose: close },
  }
}
