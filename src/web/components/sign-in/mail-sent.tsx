import { Anchor, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { OutboxLink } from './outbox-link.tsx'

type MailSentProps = {
  /** Says where the mail went. */
  children: ReactNode
  /** The page of the simulated mode that shows the mail; null with real mail. */
  outboxUrl: string | null
  onSendAgain: () => Promise<void>
  /** Leads back to the address that was typed. */
  onCorrect: () => void
}

/** Stands in place of a form that sent a link, and takes the focus that the form had. */
export function MailSent({ children, outboxUrl, onSendAgain, onCorrect }: MailSentProps) {
  const [outcome, setOutcome] = useState<{ text: string; isError: boolean } | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const sendAgain = async () => {
    try {
      await onSendAgain()
      const count = sentCount + 1
      setSentCount(count)
      // The same text would not show that the next one has gone too.
      setOutcome({ text: count === 1 ? 'Sent again.' : `Sent again (${count} times).`, isError: false })
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), isError: true })
    }
  }
  return (
    <Stack gap="xs">
      <Text role="status" tabIndex={-1} ref={takeFocus} style={{ outline: 'none' }}>
        {children}
      </Text>
      {outcome === null ? null : (
        <Text role={outcome.isError ? 'alert' : 'status'} size="sm">
          {outcome.text}
        </Text>
      )}
      <Group gap="md">
        <Anchor component="button" type="button" size="sm" onClick={() => void sendAgain()}>
          Send again
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onCorrect}>
          Change the address
        </Anchor>
        <OutboxLink url={outboxUrl} />
      </Group>
    </Stack>
  )
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
