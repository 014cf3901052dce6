import { Text } from '@mantine/core'

type DisconnectQuestionProps = {
  /** Whether the setup is finished, so that syncs run by themselves. */
  isSetUp: boolean
  children: string
}

/** Asks whether a provider is to be disconnected, and says what stops with it. */
export function DisconnectQuestion({ isSetUp, children }: DisconnectQuestionProps) {
  return (
    <>
      <Text>{children}</Text>
      {isSetUp ? <Text mt="xs">Automatic sync stops until you finish the setup again.</Text> : null}
    </>
  )
}
