import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fold } from '../../ui/fold.tsx'

type KeyInsteadProps = {
  /** Without an app, a service key is the only way, so its form is open. */
  hasApp: boolean
  /** What will hinder the consent, with what to do; null if nothing is known. */
  appProblem: string | null
  /** The button of the way by consent. */
  consent: ReactNode
  form: ReactNode
}

/** Offers the consent first, and below it a service key instead. */
export function KeyInstead({ hasApp, appProblem, consent, form }: KeyInsteadProps) {
  if (!hasApp) return form
  return (
    <Stack gap="sm" align="flex-start" w="100%">
      {consent}
      {appProblem === null ? null : <Text size="sm">{appProblem}</Text>}
      <Fold openLabel="Use a service key instead" closeLabel="Hide the service key">
        <div style={{ width: '100%' }}>{form}</div>
      </Fold>
    </Stack>
  )
}
