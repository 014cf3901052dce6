import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { menuName } from './places.ts'
import { useAfterNavigation } from './use-after-navigation.ts'
import { useKeys } from './use-keys.ts'
import { type CommandMenuProps, useTypedAhead } from './use-typed-ahead.ts'

/** The menu loads when it is first asked for. If it cannot load, the page stays as it is. */
const CommandMenu = lazy(async () => {
  try {
    return { default: (await import('./command-menu.tsx')).CommandMenu }
  } catch (error) {
    logProblem('The command menu could not be loaded', error)
    return { default: NoMenu }
  }
})

function NoMenu({ asked, takeTyped }: CommandMenuProps): ReactNode {
  useEffect(() => {
    if (asked > 0) takeTyped()
  }, [asked, takeTyped])
  return null
}

/** What the frame gives the screens in it. */
export type ShellContext = { openMenu: () => void }

/** The command menu and the overview of the keys, which the frame draws, and how each is opened. */
export function useCommands(): { openMenu: () => void; openHelp: () => void; dialogs: ReactNode } {
  const [asked, setAsked] = useState(0)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const typed = useTypedAhead()
  const openMenu = () => {
    // One that is closing has given the focus back already.
    const hasFocus = document.activeElement?.closest(`[role="dialog"][aria-label="${menuName}"]`) != null
    if (!hasFocus) typed.begin()
    setAsked((count) => count + 1)
  }
  const openHelp = () => setHelpOpen(true)
  useAfterNavigation(() => setHelpOpen(false))
  useKeys({ onMenu: openMenu, onHelp: openHelp })
  const dialogs = (
    <>
      <Suspense fallback={null}>
        {asked === 0 ? null : <CommandMenu asked={asked} onHelp={openHelp} takeTyped={typed.take} />}
      </Suspense>
      <KeysDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
  return { openMenu, openHelp, dialogs }
}
