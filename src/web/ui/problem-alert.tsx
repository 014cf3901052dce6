import { Alert } from '@mantine/core'

/** Says in a form or dialog why its action failed; nothing while none did. */
export function ProblemAlert({ text }: { text: string | null | undefined }) {
  if (text == null) return null
  return (
    <Alert color="red" role="alert">
      {text}
    </Alert>
  )
}
