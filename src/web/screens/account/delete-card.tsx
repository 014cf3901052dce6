import {
  Alert,
  Button,
  Card,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAbout } from '../../queries/session.ts'

type DeleteCardProps = {
  /** What the button and the dialog are called. */
  title: string
  /** What will be gone and what stays, before anything is pressed. */
  text: string
  /** What has to be typed, and what it is called. */
  word: string
  wordLabel: string
  isBusy: boolean
  /** Why it was not done, in the server's words. */
  problem: string | null
  onDelete: (typed: string, password: string) => void
}

/** Deletes something for good: only who types its name and their password comes through. */
export function DeleteCard({ title, text, word, wordLabel, isBusy, problem, onDelete }: DeleteCardProps) {
  const { data: about } = useAbout()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const hosted = about?.hostedIdentity ?? null
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
      <Group justify="space-between">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          {title}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <Modal opened={isAsking} onClose={close} title={title} centered>
        <form onSubmit={submit}>
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
              <PasswordInput
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
            {problem === null ? null : <Alert color="red">{problem}</Alert>}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                type="submit"
                color="red"
                loading={isBusy}
                disabled={typed.trim() !== word || (hosted === null && password === '')}
              >
                Delete for good
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Card>
  )
}
