import { useState } from 'react'
import type { ActionProblem } from '../problems/problem-alert.tsx'

/** Keeps a question open until its action is done. What failed is told in the dialog, where it was started. */
export function useConfirmation() {
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<ActionProblem | null>(null)
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
