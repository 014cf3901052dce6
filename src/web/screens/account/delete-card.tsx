import { Alert, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAbout } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

type DeleteCardProps = {
  /** The label of the button and the title of the dialog. */
  title: string
  /** Says what will be deleted and what stays, before the person presses anything. */
  text: string
  /** The text that the person has to type, and its label. */
  word: string
  wordLabel: string
  /** Says why nothing can be deleted now; null if it can. */
  hindrance?: string | null
  isBusy: boolean
  /** Says in the server's words why nothing was deleted. */
  problem: string | null
  /** Forgets the problem of the last try. */
  onAsk: () => void
  onDelete: (typed: string, password: string) => void
}

/** Deletes something for good, after the person has typed its name and their password. */
export function DeleteCard(props: DeleteCardProps) {
  const { title, text, word, wordLabel, hindrance = null, isBusy, problem, onAsk, onDelete } = props
  const { data: about } = useAbout()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const hosted = about?.hostedIdentity ?? null
  const ask = () => {
    onAsk()
    setAsking(true)
  }
  const close = () => {
    setAsking(false)
    setTyped('')
    setPassword('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDelete(typed.trim(), password)
  }
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        <StartButton variant="outline" color="red" isOff={hindrance !== null} onClick={ask}>
          {title}
        </StartButton>
      </Group>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {hindrance === null ? null : (
        <Text size="sm" mt="xs">
          {hindrance}
        </Text>
      )}
      <Dialog opened={isAsking} onClose={close} title={title} centered>
        <form noValidate onSubmit={submit}>
          <Stack>
            <Text>{text} This cannot be taken back.</Text>
            <TextInput
              label={wordLabel}
              description={word}
              autoComplete="off"
              required
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {hosted === null ? (
              <PasswordField
                label="Your password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            ) : (
              <Text size="sm">
                You must have signed in at {hosted} within the last ten minutes. If not, sign out and in
                first.
              </Text>
            )}
            {problem === null ? null : (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <StartButton
                type="submit"
                color="red"
                isBusy={isBusy}
                isOff={typed.trim() !== word || (hosted === null && password === '')}
              >
                Delete for good
              </StartButton>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </Card>
  )
}
