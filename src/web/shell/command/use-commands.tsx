import { lazy, type ReactNode, Suspense, useState } from 'react'
import { logProblem } from '../../ui/log-problem.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { useKeys } from './use-keys.ts'

/** The menu loads when it is first asked for. If it cannot load, the page stays as it is. */
const CommandMenu = lazy(async () => {
  try {
    return { default: (await import('./command-menu.tsx')).CommandMenu }
  } catch (error) {
    logProblem('The command menu could not be loaded', error)
    return { default: () => null }
  }
})

/** The command menu and the overview of the keys, which the frame draws, and how the menu is opened. */
export function useCommands(): { openMenu: () => void; dialogs: ReactNode } {
  const [asked, setAsked] = useState(0)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openMenu = () => setAsked((count) => count + 1)
  const openHelp = () => setHelpOpen(true)
  useKeys({ onMenu: openMenu, onHelp: openHelp })
  const dialogs = (
    <>
      <Suspense fallback={null}>
        {asked === 0 ? null : <CommandMenu asked={asked} onHelp={openHelp} />}
      </Suspense>
      <KeysDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
  return { openMenu, dialogs }
}
