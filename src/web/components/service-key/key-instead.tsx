import { Anchor, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type KeyInsteadProps = {
  /** Without an app, a service key is the only way, so its form is open. */
  hasApp: boolean
  /** The button of the way by consent. */
  consent: ReactNode
  form: ReactNode
}

/** Offers the consent first, and below it a service key instead. */
export function KeyInstead({ hasApp, consent, form }: KeyInsteadProps) {
  const [isOpen, setOpen] = useState(false)
  if (!hasApp) return form
  return (
    <Stack gap="sm" align="flex-start" w="100%">
      {consent}
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide the service key' : 'Use a service key instead'}
      </Anchor>
      {isOpen ? <div style={{ width: '100%' }}>{form}</div> : null}
    </Stack>
  )
}
